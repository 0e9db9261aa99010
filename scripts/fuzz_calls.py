#!/usr/bin/env python3
"""Prints the calls of the C interface for Tests/fuzz/api.c, from its description (bindings/api.json). The fuzzer's
input chooses the arguments by the roles of the parameters. There is a callback for each shape. New functions are
included automatically; an unknown role is an error."""

import sys

from bindings import API

# Functions that the fuzzer does not call, with the reasons.
LEFT_OUT = {
    "sgk_retain": "objects.c counts with it",
    "sgk_release": "objects.c counts with it",
    "sgk_value_retain": "objects.c counts with it",
    "sgk_value_release": "objects.c counts with it",
    "sgk_queue_create_custom": "api.c makes the queue, with a loop",
    "sgk_callback_function": "api.c calls it",
    "sgk_loop_next": "api.c calls it, inside the function of sgk_signal_from_loop",
    "sgk_set_thread_hooks": "objects.c sets hooks that check the threads; a thread that lives on keeps their context",
    "sgk_main_run": "does not return by itself; sgk_main_drain does the same work",
    "sgk_debug_inspect": "the target inspector.c",
    "sgk_debug_dump": "sgk_debug_graph writes the same, and not to stderr",
    "sgk_signal_child": "the fuzzer has no children",
    "sgk_signal_process": "the fuzzer starts no programs",
    "sgk_signal_accept": "the fuzzer has no sockets",
    "sgk_signal_connect": "the fuzzer has no sockets",
}

# Functions that may wait for work, which would deadlock inside callbacks.
WAITS = {function["name"] for function in API["functions"] if function.get("waits")} | {
    "sgk_drain", "sgk_queue_advance", "sgk_queue_advance_to", "sgk_queue_run"}
# Functions whose source must end. Some restart it repeatedly, perhaps without a callback between. A value with a signal
# may be stored until the end, even by that signal.
ENDING = {"sgk_signal_value"} | {function["name"] for function in API["functions"]
                                 if function["short"].startswith(("restart", "repeat", "retry"))}
# Functions that can create a cycle that only a terminal event breaks. Programs that release objects early omit them.
TIES = {"sgk_promise_set", "sgk_promise_create_initialize_on_first_access", "sgk_promise_create_value",
        "sgk_signal_value", "sgk_event_link_from_signal", "sgk_signal_share",
        "sgk_sequencer_enqueue", "sgk_state_set", "sgk_state_modify", "sgk_event_link_on_next"} | {
    function["name"] for function in API["functions"]
    if function["owner"] in ("multicast", "multicast_signal_manager", "event_link", "queue_local", "callback")
    and function["kind"] not in ("retain", "release")}

# By the names of parameters, where any number will not do.
NUMBERS = {"fd": "some_descriptor()", "signo": "some_unix_signal()", "thread_count": "below(4)", "mask": "below(8)"}
IN_FUNCTION = {  # for one function: a limit on its duration
    ("sgk_signal_range", "count"): "(int64_t)below(5) - 1",
    ("sgk_queue_run", "limit"): "(int64_t)below(50) - 1",
    ("sgk_signal_sink_fd", "closes"): "false",
    ("sgk_value_make_writable", "length"): "below(100)",
}

# Functions that change a value.
CHANGES = {"sgk_value_make_writable"}

PLAIN = {
    "seconds": "some_seconds()", "limit": "some_number()", "integer": "some_number()",
    "repetitions": "some_number()", "number": "some_seconds()", "unix_time": "some_seconds()",
    "flag": "below(2) == 1", "text": "some_text()",
}


class Call:
    """The text of a function that makes one call."""

    def __init__(self, function):
        self.name, self.before, self.after, self.arguments = function["name"], [], [], []
        parameters = function["parameters"]
        has_destroy = any(part["role"] == "destroy" for part in parameters)
        for index, part in enumerate(parameters):
            self.add(function, part, parameters[index - 1] if index else None, has_destroy)
        self.result(function["result"])

    def add(self, function, part, previous, has_destroy):
        name, role = part["name"], part["role"]
        given = IN_FUNCTION.get((self.name, name)) or NUMBERS.get(name)
        if given:
            return self.arguments.append(given)
        if self.name in WAITS and role == "seconds":
            return self.arguments.append("some_short_time()")
        if role == "value":
            self.before.append(f"sgk_value {name} = some_value();")
            self.after.append(f"sgk_value_release({name});")
            self.arguments.append(name)
        elif role in PLAIN:
            self.arguments.append(PLAIN[role])
        elif role == "handle":
            ending = self.name in ENDING and part["of"] == "signal"
            typed = part["of"] == "signature" and previous and previous.get("shape") == "sgk_function"
            if typed:
                return self.arguments.append(f"{previous['name']}.signature")
            maybe = "true" if part.get("optional") else "false"
            self.before.append(f"taken {name} = {'take_ending' if ending else 'take'}(K_{part['of']}, {maybe});")
            self.after.append(f"let_go({name});")
            self.arguments.append(f"{name}.handle")
        elif role == "callback" and part["shape"] == "sgk_function":
            self.before.append(f"const typed {name} = some_typed();")
            self.arguments.append(f"{name}.function")
        elif role == "callback":
            # The destruction is counted once: for the context, not for another callback of the call.
            self.arguments.append("destroyed" if part["shape"] == "sgk_destroy_fn" and part["name"] == "destroy"
                                  else f"on_{part['shape']}")
        elif role == "context":
            self.before.append(f"context *{name} = new_context({'true' if has_destroy else 'false'});")
            if not has_destroy:
                self.after.append(f"is_over({name});")
            self.arguments.append(name)
        elif role == "destroy":
            self.arguments.append("destroyed")
        elif role == "signals":
            self.before.append(f"several {name} = take_signals();")
            self.after.append(f"let_go_signals(&{name});")
            self.arguments.append(f"{name}.signals")
        elif role in ("values", "optional_values"):
            length = next((p["of"] for p in function["parameters"] if p["role"] == "length" and p["of"] != name), None)
            count = f"{length}.count" if role == "optional_values" else "below(4)"
            self.before += [f"values {name};", f"some_values(&{name}, {count});"]
            self.after.append(f"release_values(&{name});")
            self.arguments.append(f"{name}.{'values' if role == 'values' else 'perhaps'}")
        elif role == "length":
            of = next(p for p in function["parameters"] if p["name"] == part["of"])
            self.arguments.append({"text": "some_length()", "bytes": "some_length()", "buffer": "below(65)"}.get(
                of["role"], f"{part['of']}.count"))
        elif role == "enum":
            self.arguments.append(f"({part['of']})((int)below(24) - 1)")
        elif role == "bound":
            self.before += [f"taken {name}_counter = take(K_overflow_counter, true);",
                            f"sgk_bound {name} = some_bound({name}_counter.handle);"]
            self.after += [f"sgk_value_release({name}.error);", f"let_go({name}_counter);"]
            self.arguments.append(f"below(4) ? &{name} : NULL")
        elif role == "struct" and part["of"] == "sgk_object_type":
            self.arguments.append("&object_types[below(2)]")
        elif role == "struct":
            self.before.append(f"{part['of']} {name} = some_{part['of']}();")
            self.arguments.append(f"&{name}")
        elif role == "out_value":
            self.before.append(f"sgk_value {name} = {'some_value' if self.name in CHANGES else 'sgk_null'}();")
            self.after.append(f"sgk_value_release({name});")
            self.arguments.append(f"&{name}")
        elif role == "out_length":
            self.before.append(f"size_t {name} = 0;")
            self.arguments.append(f"below(4) ? &{name} : NULL")
        elif role == "pointer":
            self.arguments.append("&something")
        elif role == "bytes":
            self.arguments.append("some_text()")
        elif role == "buffer":
            self.before.append(f"char {name}[64];")
            self.arguments.append(name)
        else:
            sys.exit(f"{self.name}: {part}")

    def result(self, result):
        call = f"{self.name}({', '.join(self.arguments)})"
        role = result["role"]
        if role == "handle":
            self.call = f"give(K_{result['of']}, {call});"
        elif role == "value" and result.get("owned"):
            self.call = f"give_value({call});"
        else:
            self.call = f"{call};" if role == "none" else f"(void){call};"

    def text(self):
        lines = [*self.before, self.call, *self.after]
        return f"static void call_{self.name}(void) {{\n" + "".join(f"    {line}\n" for line in lines) + "}\n"


def returned(shape):
    """The result of a callback, and its result when it does nothing."""
    role = shape["result"]["role"]
    usual = {
        "none": ("", ""), "value": ("some_result()", "sgk_null()"), "flag": ("below(2) == 1", "false"),
        "status": ("below(8) ? SGK_OK : SGK_ERROR_ARGUMENT", "SGK_ERROR_ARGUMENT"),
        "pointer": ("&something", "&something"),
        "handle": (f"take_own(K_{shape['result'].get('of')})", "NULL"),
    }[role]
    if shape["name"] == "sgk_map_fn":
        return "some_outcome(value)", "sgk_dropped()"
    return usual


def callback(shape):
    parameters = ", ".join(f"{part['type']}{'' if part['type'].endswith('*') else ' '}{part['name']}"
                           for part in shape["parameters"])
    result = shape["result"]["type"]
    usual, nothing = returned(shape)
    lines = []
    for part in shape["parameters"][1:]:
        name, role = part["name"], part["role"]
        if role == "value":
            lines.append(f"    read_value({name});")
        elif role == "handle":
            lines.append(f"    keep_lent(K_{part['of']}, {name});")
        elif role == "out_value":
            lines.append(f"    if (below(2)) *{name} = some_result();")
        elif role == "out_flag":
            lines.append(f"    *{name} = below(2) == 1;")
        else:
            lines.append(f"    (void){name};")
    typed_result = result if result.endswith("*") else result + " "
    usual_line = f"    {typed_result}made = {usual};\n" if usual else ""
    end = "    return made;\n" if usual else ""
    return (f"static {typed_result}on_{shape['name']}({parameters}) {{\n"
            f"    if (!enter(context)) return {nothing};\n" + "".join(line + "\n" for line in lines) +
            f"    act_inside();\n{usual_line}    leave(context);\n{end}}}\n")


calls = [Call(function) for function in API["functions"] if function["name"] not in LEFT_OUT]
print("/* Written by scripts/fuzz_calls.py of bindings/api.json. */")
for shape in API["callbacks"]:
    if shape["name"] not in (
            "sgk_function", "sgk_emit_fn", "sgk_connection_fn", "sgk_started_fn", "sgk_ready_fn", "sgk_begin_fn",
            "sgk_stage_completed_fn", "sgk_stage_store_fn", "sgk_stage_update_fn", "sgk_thread_hook_fn"):
        print(callback(shape))
for one in calls:
    print(one.text())
print("typedef struct { void (*make)(void); bool waits, ties; const char *name; } call;")
print("static const call calls[] = {")
for one in calls:
    print(f"    {{call_{one.name}, {str(one.name in WAITS).lower()}, {str(one.name in TIES).lower()}, "
          f'"{one.name}"}},')
print("};")
