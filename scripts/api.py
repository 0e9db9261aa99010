#!/usr/bin/env python3
"""Writes bindings/api.json, the description of the C library for bindings, with the role of each argument. The roles
come from the headers, by conventions. bindings/api.tsv contains the exceptions. With --check it writes nothing, and
fails if the file differs or a role is missing."""

import json
import re
import sys

from sources import (
    DECLARED, MAY_BE_NULL, ROOT, c_names, documented_headers, explains, functions, members, one_line, parameters_of,
    plain, read_table, tables, typed)

FUNCTION = re.compile(r"(.*?)\(\*(\w+)\)\((.*)\)")
OPAQUE = {"sgk_marble_run", "sgk_marble_log"}  # of testing.h, no part of the library
PATH = ROOT / "bindings/api.json"
SECONDS = {"seconds", "delay_increment", "max_delay", "granularity", "keep", "time"}
NUMBERS = {"double": "number"} | dict.fromkeys(("int64_t", "int", "uint32_t", "size_t", "uint64_t"), "integer")
RESULTS = {"void": "none", "sgk_value": "value", "sgk_status": "status", "const char *": "text", "bool": "flag",
           "char *": "pointer"}


class Headers:
    """The types that the headers declare."""

    def __init__(self):
        self.handles, self.enums, self.structs, self.shapes, self.constants = [], [], [], [], []
        for self.header, text in documented_headers():
            maps = tables(text)
            for found in DECLARED.finditer(text):
                comment = found["before"]
                if found["handle"]:
                    self.handles += [self.entry(found["handle"], comment, short=found["handle"].removeprefix("sgk_"))]
                elif found["what"] == "enum":
                    values = [{"name": name, "value": int(value, 0), "comment": plain(comment)}
                              for name, value, comment in members(found, maps)]
                    self.enums += [self.entry(found["type"], comment, values=values)]
                elif found["what"]:
                    fields = [self.field(*field) for field in members(found, maps)]
                    self.structs += [self.entry(found["type"], comment, fields=fields)]
                elif found["callback"]:
                    result, name, parameters = FUNCTION.fullmatch(one_line(found["callback"])).groups()
                    self.shapes += [self.entry(name, comment, result=result.strip(),
                                               parameters=parameters_of(parameters))]
                elif comment and (number := re.fullmatch(r" \(?(-?\d+|0x[0-9a-f]+)u?\)?", found["macro_body"] or "")):
                    self.constants += [self.entry(found["macro"], comment, value=int(number[1], 0))]

    def entry(self, name, comment, **rest):
        return {"name": name, "header": self.header, "comment": plain(comment), **rest}

    def field(self, declared, _, comment):
        """A field of a structure; of a function also its shape."""
        function = FUNCTION.fullmatch(declared)
        type, name = (function[1] + "(*)", function[2]) if function else typed(declared)
        shape = {"result": function[1].strip(), "parameters": parameters_of(function[3])} if function else {}
        return {"name": name, "type": type.strip(), **shape, "comment": plain(comment)}


# ---- Roles ----

declared = Headers()
HANDLES = {handle["name"]: handle["short"] for handle in declared.handles}
ENUMS = {enum["name"] for enum in declared.enums}
STRUCTS = {struct["name"] for struct in declared.structs}
SHAPES = {shape["name"] for shape in declared.shapes} - {"sgk_destroy_fn"}
BY_NAME = {function.name: function for function in functions()}
OVERRIDES = read_table(ROOT / "bindings/api.tsv")


def handle_of(type):
    """The kind of handle that a type points to, if it does."""
    return HANDLES.get(type.removesuffix(" *")) if type.endswith(" *") else None


def model(function):
    """The function that a comment refers to: `Like sgk_zip …`, `As sgk_zip …`, or the plain form of a typed one."""
    plain_form = re.sub(r"_typed$", "", function.name)
    named = re.match(r"(?:(?:As|Like) )?(sgk_\w+)", function.comment)
    same = named.group(1) if named else plain_form
    return BY_NAME.get(same) if same != function.name else None


def says(function, name, words):
    """Whether the comment has these words behind an argument, or the comment that it refers to does: for the whole
    function, or for this argument (`As in sgk_zip`)."""
    if explains(function.comment, name, words):
        return True
    referred = re.search(rf"`{name}`: As in (sgk_\w+)", function.comment)
    like = BY_NAME[referred[1]] if referred else model(function)
    return bool(like) and name in [other for _, other in like.parameters] and says(like, name, words)


MAY_BE_UNBOUNDED = r"(?:[^.`]*|:.*)SGK_UNBOUNDED"


def destroyer(parameters, place):
    """The names of the context and the destroy function behind a callback: behind the last one, if several share
    them."""
    rest = parameters[place + 1:]
    context = next((name for type, name in rest if (type, name) == ("void *", "context")), None)
    destroy = next((name for type, name in rest if (type, name) == ("sgk_destroy_fn ", "destroy")), None)
    return {"context": context, "destroy": destroy}


def parameter(function, place):
    """A parameter with its role."""
    type, name = function.parameters[place]
    type, before = type.strip(), function.parameters[place - 1] if place else ("", "")
    found = {"name": name, "type": type}
    bare = type.removeprefix("const ").removesuffix(" *")
    if handle_of(type):
        found |= {"role": "handle", "of": handle_of(type)}
        if place and says(function, name, MAY_BE_NULL):
            found["optional"] = True
    elif type in SHAPES or type == "sgk_function":
        found |= {"role": "callback", "shape": type, **destroyer(function.parameters, place)}
        if says(function, name, MAY_BE_NULL):
            found["optional"] = True
    elif type == "sgk_destroy_fn":
        found |= {"role": "destroy" if name == "destroy" else "callback", "optional": True}
        if name != "destroy":
            found |= {"shape": type, "context": None, "destroy": None}
    elif type == "void *":
        found["role"] = "context" if name == "context" else "pointer"
    elif type == "sgk_value":
        found["role"] = "value"
    elif type == "sgk_value *":
        found["role"] = "out_value"
    elif type == "sgk_signal *const *":
        found["role"] = "signals"
    elif type == "const sgk_value *":
        found["role"] = "values"
    elif type == "const char *const *":
        found["role"] = "texts"
    elif type == "size_t *":
        found["role"] = "out_length"
    elif type == "size_t" and "*" in before[0]:
        found |= {"role": "length", "of": before[1]}
    elif bare == "sgk_bound":
        found |= {"role": "bound", "optional": True}
    elif bare in STRUCTS:
        found |= {"role": "struct", "of": bare}
    elif bare in ENUMS:
        found |= {"role": "enum", "of": bare}
    elif bare in ("char", "void"):
        found["role"] = "text" if type == "const char *" else "buffer" if type == "char *" else "bytes"
        if says(function, name, MAY_BE_NULL):
            found["optional"] = True
    elif name in SECONDS:
        found["role"] = "seconds"
    elif name == "unix_time":
        found["role"] = "unix_time"
    elif name == "limit":
        found["role"] = "limit"
        if says(function, name, MAY_BE_UNBOUNDED):
            found["unbounded"] = True
    elif name == "count" and says(function, name, MAY_BE_UNBOUNDED):
        found["role"] = "repetitions"
    elif type == "bool":
        found["role"] = "flag"
    else:
        found["role"] = NUMBERS.get(type)
    return found


def result(type, owned=False):
    """The result of a function or a callback with its role, and whether the caller of a function owns it."""
    type = type.strip()
    found = {"type": type, "role": RESULTS.get(type) or NUMBERS.get(type)}
    if handle_of(type):
        found |= {"role": "handle", "of": handle_of(type)}
    elif type in ENUMS and type != "sgk_status":
        found |= {"role": "enum", "of": type}
    elif type == "sgk_function" or type == "void *":
        found["role"] = "pointer"
    elif type == "const sgk_value *":
        found["role"] = "values"
    return found | ({"owned": True} if owned else {})


def kind(function):
    """The kind of a function."""
    types = [type.strip() for type, _ in function.parameters]
    of_first = handle_of(types[0]) if types else None
    made = handle_of(function.result.strip())
    if re.search(r"_(retain|release)$", function.name) and of_first:
        return function.name.rsplit("_", 1)[1]
    if function.name.endswith("_typed"):
        return "typed"
    if made and "_create" in function.name and made != "signal":
        return "constructor"
    if "const char *const *" in types or "sgk_connection_fn" in types or function.name == "sgk_signal_fd_datagrams":
        return "function"  # it starts programs, or uses sockets: other languages have their own ways
    if made == "signal" and of_first == "signal":
        return "operator"
    if made == "signal" and "sgk_signal *const *" in types:
        return "combination"
    if made == "signal" and not of_first and "sgk_value" not in types[:1] or function.name in (
            "sgk_signal_just", "sgk_signal_fail"):
        return "source"
    if of_first:
        return "method"
    return "constructor" if made else "function"


def owner(function):
    """The kind of handle that a function belongs to: that of its first argument, or what it makes."""
    first = handle_of(function.parameters[0][0].strip()) if function.parameters else None
    return first or handle_of(function.result.strip())


def short(function):
    """Its name without what its owner says already."""
    for handle in sorted(HANDLES.values(), key=len, reverse=True):
        if function.name.startswith(f"sgk_{handle}_"):
            return function.name.removeprefix(f"sgk_{handle}_")
    return function.name.removeprefix("sgk_")


def extends(function):
    """The function that this one is with a callback more: sgk_zip of sgk_zip_map, sgk_signal_distinct of …_by."""
    base = BY_NAME.get(re.sub(r"_(map|by)$", "", function.name))
    callback = {"context", "destroy"} | {n for t, n in function.parameters if t.strip() in SHAPES}
    if not base or base.name == function.name:
        return {}
    same = [p for p in function.parameters if p[1] not in callback] == base.parameters
    return {"extends": base.name} if same else {}


def emits(function):
    """Whether an operator emits arrays of its source's values: the beginning of its comment says so."""
    arrays = kind(function) == "operator" and re.match(r"Emits\b.*\barrays\b", function.comment)
    return {"emits": "arrays"} if arrays else {}


def described(function):
    found = {
        "name": function.name, "short": short(function), "kind": kind(function), "header": function.header,
        "owner": owner(function), **extends(function), **emits(function), "comment": function.comment,
        "result": result(function.result, function.owned),
        "parameters": [parameter(function, place) for place in range(len(function.parameters))],
    }
    return found


CALLBACK_ROLES = {
    "const sgk_trace_event *": "pointer", "const sgk_loop *": "pointer",
    "sgk_value *": "out_value", "bool *": "out_flag", "const sgk_value *": "values", "const char *": "text",
    "sgk_value": "value", "int64_t": "integer", "uint32_t": "integer", "size_t": "length", "void *": "pointer",
    "bool": "flag", "double": "seconds", "char *": "buffer", "sgk_work_fn": "work",
    "sgk_destroy_fn": "destroy", "int": "integer",
}


def shaped(shape):
    """A callback with the roles of its arguments and of its result, which it transfers to the library."""
    parameters = []
    for type, name in shape["parameters"]:
        type = type.strip()
        found = {"name": name, "type": type, "role": "context" if name == "context" else CALLBACK_ROLES.get(type)}
        if handle_of(type):
            found |= {"role": "handle", "of": handle_of(type)}
        parameters.append(found)
    made = result(shape["result"]) | ({"optional": True} if handle_of(shape["result"].strip()) else {})
    roles = [p["role"] for p in parameters]
    fails = "signal" if made.get("of") == "signal" else (
        "status" if made["role"] == "status" and ("out_value" in roles) else None)
    return {**shape, "result": made, "parameters": parameters, "fails": fails}


def overridden(entries):
    """The entries, with what bindings/api.tsv says of them."""
    by_name = {entry["name"]: entry for entry in entries}
    for row in OVERRIDES:
        entry = by_name.get(row["name"])
        if entry is None:
            sys.exit(f"bindings/api.tsv: there is no {row['name']}")
        for part in [p for p in entry["parameters"] if p["name"] == row["parameter"]] if row["parameter"] else [entry]:
            value = json.loads(row["value"])
            if part.get(row["key"]) == value:
                sys.exit(f"bindings/api.tsv: {row['name']} {row['parameter']} {row['key']} is so by convention")
            part[row["key"]] = value
    return entries


# ---- The file ----


def line(thing):
    return json.dumps(thing, ensure_ascii=False)


def written(thing, indent=0):
    """Formats the description as JSON with a line for each parameter, field and value."""
    pad = " " * indent
    if isinstance(thing, dict) and any(isinstance(part, list) and part for part in thing.values()):
        parts = [f"{pad} {line(key)}: {written(part, indent + 1)}" for key, part in thing.items()]
        return "{\n" + ",\n".join(parts) + f"\n{pad}}}"
    if isinstance(thing, list) and thing and isinstance(thing[0], dict):
        return "[\n" + ",\n".join(f"{pad} {written(part, indent + 1)}" for part in thing) + f"\n{pad}]"
    return line(thing)


def description():
    shapes = [shaped(shape) for shape in declared.shapes]
    whole = overridden([described(function) for function in functions()] + shapes)
    version = re.search(r'SGK_VERSION_STRING "(.*?)"', (ROOT / "include/signalkit/base.h").read_text()).group(1)
    layout = dict(re.findall(r"^struct (\w+) (\d+)$", (ROOT / "Tests/abi/layout.txt").read_text(), flags=re.M))
    return {
        "version": version, "constants": declared.constants, "handles": declared.handles, "enums": declared.enums,
        "structs": [struct | {"bytes": int(layout[struct["name"]])} for struct in declared.structs],
        "callbacks": shapes, "functions": whole[:-len(shapes)],
    }


ORDER = ("handle", "value", "struct", "callback", "context", "destroy", "queue", "result")
PLACES = {"signals": "handle", "bound": "struct", "out_value": "result", "out_length": "result",
          "buffer": "result"}


def place(parameters, index):
    """The place of a parameter among the others (docs/conventions.md), as an index into ORDER."""
    part = parameters[index]
    role = "queue" if part.get("of") == "queue" else PLACES.get(part["role"], part["role"])
    belongs = role == "length" or part.get("of") == "signature"  # to the array or to the function before it
    if index == 0 or index == 1 and part["name"] == "key":
        return 0
    return place(parameters, index - 1) if belongs else ORDER.index(role if role in ORDER else "value")


def faults(whole):
    for function in whole["functions"]:
        places = [place(function["parameters"], index) for index in range(len(function["parameters"]))]
        if places != sorted(places):
            yield f"{function['name']}: the parameters are not in the order of docs/conventions.md"
    for entry in whole["callbacks"] + whole["functions"]:
        for part in [entry["result"], *entry["parameters"]]:
            if not part["role"]:
                yield f"{entry['name']}: {part.get('name', 'the result')}: no role for {part['type']}"
    named = {entry["name"] for group in ("handles", "enums", "structs", "callbacks") for entry in whole[group]}
    for name in sorted(c_names()[1] - named - OPAQUE):
        yield f"{name}: not described"


def main():
    whole = description()
    wrong, text = list(faults(whole)), written(whole) + "\n"
    if "--check" not in sys.argv:
        PATH.write_text(text, encoding="utf-8")
    elif not PATH.exists() or PATH.read_text(encoding="utf-8") != text:
        wrong.append("bindings/api.json: stale; run scripts/api.py")
    print("\n".join(wrong + [f"{len(whole['functions'])} functions, {len(wrong)} faults"]))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
