#!/usr/bin/env python3
"""Prints Tests/C/misuse_made.c: the misuse of the operators on a signal, as far as the headers say what that is. Each
argument is wrong in turn. The call must be refused, with the names of the function and of the argument, and destroy its
context."""

from sources import MAY_BE_NULL, explains, functions

# What is right for a parameter of a type; and what is wrong, with its status.
# (A pool is looked at last.)
HANDLES = {"sgk_signal *": "some_signal", "sgk_queue *": "some_queue", "sgk_thread_pool *": "NULL"}
RIGHT = {
    **HANDLES, "const char *": '"name"', "double ": "1", "int64_t ": "1", "int ": "1", "bool ": "false",
    "sgk_value ": "sgk_int(0)", "sgk_overflow ": "SGK_OVERFLOW_DROP_OLDEST", "sgk_edges ": "SGK_EDGES_BOTH",
    "sgk_overflow_counter *": "NULL", "void *": "&context", "sgk_destroy_fn ": "counted_destroy",
}
WRONG = {
    **{type: [("NULL", "NULL"), ("WRONG_QUEUE" if type == "sgk_queue *" else f"WRONG({type[:-2]})", "HANDLE")]
       for type in HANDLES},
    "const char *": [("NULL", "NULL")], "double ": [("-1", "ARGUMENT"), ("(double)NAN", "ARGUMENT")],
}


def is_callback(type):
    return type.endswith("_fn ") and type != "sgk_destroy_fn "


def right(type):
    """An argument that is right. No callback is ever called: the call is refused."""
    return f"({type.strip()})any_function" if is_callback(type) else RIGHT.get(type)


def wrong(type):
    return [("NULL", "NULL")] if is_callback(type) else WRONG.get(type, [])


def operators():
    """The functions that make a signal of one, and of what there is an argument of."""
    for function in functions():
        types = [type for type, _ in function.parameters]
        if function.result == "sgk_signal *" and types[:1] == ["sgk_signal *"] and all(right(type) for type in types):
            if not function.name.endswith("_retain"):
                yield function


def calls(function):
    refused = "REFUSED_DESTROYED" if ("sgk_destroy_fn ", "destroy") in function.parameters else "REFUSED_NULL"
    for place, (type, name) in enumerate(function.parameters):
        for argument, status in wrong(type):
            if type not in HANDLES and status == "NULL" and explains(function.comment, name, MAY_BE_NULL):
                continue
            arguments = [right(other) for other, _ in function.parameters]
            arguments[place] = argument
            call = f"{function.name}({', '.join(arguments)})"
            yield f'    {refused}(\n        {call}, SGK_ERROR_{status},\n        "{function.name}: {name}: ");'


made = list(operators())
print("/* Misuse of the operators on a signal, written by scripts/misuse.py. What the headers do not say is in "
      "misuse_operators.c. */")
print('#include "misuse.h"\n\nstatic void any_function(void) {}\n')
for function in made:
    print(f"static void {function.name}_is_refused(void **state) {{\n    (void)state;")
    print("\n".join(calls(function)) + "\n}\n")
print("int run_misuse_made(void) {\n    const struct CMUnitTest tests[] = {")
print("\n".join(f"        MISUSE({function.name}_is_refused)," for function in made) + "\n    };")
print('    return cmocka_run_group_tests_name("misuse of operators on a signal", tests, NULL, NULL);\n}')
