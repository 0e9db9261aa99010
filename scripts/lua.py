#!/usr/bin/env python3
"""Writes what of bindings/lua is made of bindings/api.json: the C interface as LuaJIT's FFI reads it, and the operators
as methods. With --check it writes nothing and fails if a file is not what it would be."""

import re
import sys
import textwrap

from bindings import API, OPERATORS, without_context, write
from sources import ROOT

PLACE = ROOT / "bindings/lua/signalkit"
TOP = "-- Written by scripts/lua.py from bindings/api.json.\n"

# ---- The C interface ----

SHAPES = {callback["name"] for callback in API["callbacks"]}
# A struct that stands for itself here; what the module uses of the others are their sizes and fields.
STRUCTS = ("sgk_value", "sgk_object_table", "sgk_handlers", "sgk_backoff")


def c_type(text):
    """A type as the FFI knows it. All functions that the library calls are one type: what they take is checked by the
    border."""
    bare = text.strip()
    if bare in SHAPES or "(*" in bare:
        return "sgk_function"
    if bare in {enum["name"] for enum in API["enums"]}:
        return "int"
    return bare


def declaration(function):
    parameters = ", ".join(c_type(part["type"]) for part in function["parameters"]) or "void"
    result = c_type(function["result"]["type"])
    return f"{result}{'' if result.endswith('*') else ' '}{function['name']}({parameters});"


def interface():
    handles = sorted({re.sub(r"const |[ *]", "", part["type"]) for function in API["functions"]
                      for part in [function["result"], *function["parameters"]]
                      if part["type"].endswith("*") and "sgk_" in part["type"]} -
                     {struct["name"] for struct in API["structs"]})
    out = [TOP, 'local ffi = require "ffi"', "", "ffi.cdef [["]
    out += [f"typedef struct {name} {name};" for name in handles]
    out.append("typedef void (*sgk_function)(void);")
    for struct in API["structs"]:
        if struct["name"] in STRUCTS:
            fields = " ".join(f"{c_type(field['type'])} {field['name']};" for field in struct["fields"])
            out += textwrap.wrap(f"typedef struct {{ {fields} }} {struct['name']};", 116, subsequent_indent="    ")
        else:
            out.append(f"typedef struct {struct['name']} {struct['name']};")
    for function in API["functions"]:
        out += textwrap.wrap(declaration(function), 116, subsequent_indent="    ")
    out += ["]]", "", "return {", f'    version = "{API["version"]}",']
    for group in [API["constants"], *(enum["values"] for enum in API["enums"])]:
        out += [f"    {value['name'].removeprefix('SGK_')} = {value['value']},"
                for value in group if "VERSION" not in value["name"]]
    return "\n".join(out + ["}", ""])


# ---- Operators ----

# Those have a method by hand, in signal.lua: their functions return values, which no callback of LuaJIT's can, or their
# arguments are structs.
BY_HAND = {
    "sgk_signal_map", "sgk_signal_filter", "sgk_signal_compact_map", "sgk_signal_before_next", "sgk_signal_transform",
    "sgk_signal_try_map", "sgk_signal_try_filter", "sgk_signal_create", "sgk_signal_from_array", "sgk_signal_using",
    "sgk_signal_from_iterator", "sgk_signal_with_state", "sgk_signal_retry_backoff", "sgk_combine_signals",
    "sgk_signal_from_events", "sgk_signal_reduce_left_generator", "sgk_accumulating_loop", "sgk_signal_scan",
    "sgk_signal_map_to_signal_per", "sgk_signal_grouped_by", "sgk_signal_map_error", "sgk_signal_reduce_left",
    "sgk_signal_reduce_left_emitting", "sgk_signal_after_disposed", "sgk_signal_map_to_queue", "sgk_signal_deferred",
    "sgk_signal_map_to_throttled", "sgk_signal_map_to_signal", "sgk_signal_map_to_merged",
}
# Words of Lua's own.
RENAMED = {"then": "followed_by", "repeat": "repeated", "until": "boundary"}
CHECKS = {"integer": "integer", "limit": "limit", "seconds": "number", "number": "number", "text": "text",
          "flag": "flag"}
TYPES = {"integer": "integer", "number": "number", "seconds": "number", "text": "string"}


def is_generated(function):
    return function["name"] not in BY_HAND and "extends" not in function


def comment(text):
    """A header's comment in the words of Lua."""
    text = without_context(text).replace("NULL", "nil")
    text = re.sub(r"sgk_(?:signal_)?(\w+)", lambda match: RENAMED.get(match[1], match[1]), text)
    text = re.sub(r"SGK_OVERFLOW_(\w+)", lambda match: f'"{match[1].lower()}"', text)
    return text.replace("SGK_UNBOUNDED", "nil").replace("[", "(").replace("]", ")")


def parts(function):
    """What the method takes, its documentation, the arguments of the call, the signals to be kept, and the shape of its
    callback."""
    name = RENAMED.get(function["short"], function["short"])
    takes, optional, documented, arguments, kept, shape = [], [], [], [], [], None
    own = function["kind"] == "operator"
    rest = function["parameters"][1:] if own else function["parameters"]
    alone = len(rest) == 1
    if own:
        arguments.append("source")

    def option(word, check, kind, text):
        optional.append(f"-- @param[opt] options.{word} {kind}: {text}".rstrip(": "))
        arguments.append(check)

    for part in rest:
        role, word = part["role"], RENAMED.get(part["name"], part["name"])
        where = f'"{name}", "{word}"'
        if role == "signals":
            takes.append("signals")
            documented.append("-- @tparam {Signal,...} signals")
            arguments.append("array")
        elif role == "length":
            arguments.append("count")
        elif role == "handle" and part["of"] == "signal":
            takes.append(word)
            documented.append(f"-- @tparam Signal {word}")
            arguments.append(f"handle({where}, {word}, Signal)")
            kept.append(word)
        elif role == "handle" and part["of"] == "queue" and not alone:
            none = bool(part.get("optional"))
            option("queue", f'queue("{name}", options, {str(none).lower()})', "Queue",
                   "" if none else "the main queue, if there is none")
        elif role == "handle":
            kind = "".join(piece.capitalize() for piece in part["of"].split("_"))
            takes.append(word)
            documented.append(f"-- @tparam {kind} {word}")
            arguments.append(f"handle({where}, {word}, signalkit.{kind})")
        elif role == "value":
            takes.append(word)
            documented.append(f"-- @param {word} anything")
            arguments.append(f"give({word})")
        elif role == "limit":
            free = bool(part.get("unbounded"))
            option(word, f'limit("{name}", "{word}", options, {str(free).lower()})', "integer",
                   "nil: without a bound" if free else "")
        elif role == "overflow":
            option("overflow", f'overflow("{name}", options)', "string",
                   '"suspend", "drop_oldest", "drop_newest", "keep_latest" or "error", which it is otherwise')
        elif role == "overflow_error":
            option("error", f'overflow_error("{name}", options)', "anything", "what the run fails with then")
        elif role == "counter":
            option("counter", f'counter("{name}", options)', "OverflowCounter", "counts what is dropped")
        elif role == "enum":
            option(word, f'enum("{name}", "{word}", options, {part["of"].removeprefix("sgk_").upper()})', "string", "")
        elif role == "flag":
            option(word, f"options and options.{word} or false", "boolean", "")
        elif role in CHECKS:
            takes.append(word)
            documented.append(f"-- @tparam {TYPES[role]} {word}")
            arguments.append(f"{CHECKS[role]}({where}, {word})")
        elif role == "callback":
            takes.append("f")
            documented.append("-- @tparam function f" + ("" if part["name"] == "f" else f" `{part['name']}`"))
            shape = part["shape"].removeprefix("sgk_").removesuffix("_fn")
            arguments.append("entry")
        elif role in ("context", "destroy"):
            arguments.append(role)
        else:
            sys.exit(f"{function['name']}: {part}")
    return name, takes, optional, documented, arguments, kept, shape


def method(function):
    """The method of an operator, or the function of a source; with what it is called with a function more."""
    longer = next((f for f in API["functions"] if f.get("extends") == function["name"]), None)
    name, takes, optional, documented, arguments, kept, shape = parts(function)
    text = comment(function["comment"])
    key = longer and longer["name"] == "sgk_signal_distinct_by"
    equal = longer and longer["name"] == "sgk_signal_distinct_until_changed_by"
    if longer:
        takes.append("f")
        documented.append("-- @tparam[opt] function f")
        text += "\nWith a function: " + comment(longer["comment"])
    takes += ["options"] if optional else []
    documented += ["-- @tparam[opt] table options"] * bool(optional)
    out = ["--- " + line if index == 0 else "-- " + line
           for index, line in enumerate(part for paragraph in text.split("\n")
                                        for part in textwrap.wrap(paragraph, 112))]
    out += documented + optional + ["-- @treturn Signal"]
    own = function["kind"] == "operator"
    out.append(f"function {'Signal:' if own else 'signalkit.'}{name}({', '.join(takes)})")

    def call(c, given):
        return f"C.{c}({', '.join(given)})"

    fails = {callback["name"]: callback.get("fails") for callback in API["callbacks"]}
    if equal:
        _, _, _, _, more, _, longer_shape = parts(longer)
        out += ["    if f then", f'        return guarded(self, "{name}", f, "{longer_shape}",',
                "            function(source, entry, context, destroy)",
                f"                return {call(longer['name'], more)}", "            end)", "    end"]
    if longer and not key and not equal:
        out += [f'    if f then return {"self:" if own else "signalkit."}{name}(' +
                ", ".join(take for take in takes if take not in ("f", "options")) +
                (", nil, options" if optional else "") + f'):map(spread("{name}", f)) end']
    if key:
        out += [f"    if f then return by_key(self, f, function(keys) return keys:{name}(nil, options) end) end"]
    if shape:
        how = "with_callback" if function.get("late") or fails["sgk_" + shape + "_fn"] else "guarded"
        out += [f'    return {how}(self, "{name}", f, "{shape}", function(source, entry, context, destroy)',
                f"        return {call(function['name'], arguments)}", f"    end){hold(kept)}"]
    elif "array" in arguments:
        out += [f'    return listed("{name}", signals, function(array, count)',
                f"        return {call(function['name'], arguments)}", "    end)"]
    elif own:
        out += ["    local source = raw(self)",
                f"    return made({call(function['name'], arguments)}):hold({', '.join(['self', *kept])})"]
    else:
        out.append(f"    return made({call(function['name'], arguments)})")
    return "\n".join(part for line in out + ["end"] for part in wrapped(line))


def hold(kept):
    return f":hold({', '.join(kept)})" if kept else ""


def wrapped(line):
    if len(line) <= 118:
        return [line]
    indent = re.match(r"(-- )?\s*", line)[0]
    return textwrap.wrap(line.strip() if not line.startswith("--") else line, 118, initial_indent="" if line.startswith(
        "--") else indent, subsequent_indent=indent + ("" if line.startswith("--") else "    "), break_long_words=False)


def operators():
    made = [method(function) for function in OPERATORS if is_generated(function)]
    top = [TOP, 'local border = require "signalkit.border"', 'local arguments = require "signalkit.arguments"',
           "local C, give = border.C, require(\"signalkit.values\").give",
           "local integer, number, text = arguments.integer, arguments.number, arguments.text",
           "local limit, overflow, overflow_error = arguments.limit, arguments.overflow, arguments.overflow_error",
           "local handle, queue, counter = arguments.handle, arguments.queue, arguments.counter",
           "local enum, EDGES = arguments.enum, arguments.EDGES", "",
           "return function(signalkit, Signal, make)",
           "local raw, made, listed, spread, by_key = border.raw, make.made, make.listed, make.spread, make.by_key",
           "local guarded, with_callback = make.guarded, make.with_callback", ""]
    return "\n".join(top) + "\n" + "\n\n".join(made) + "\n\nend\n"


def main():
    pages = {"interface.lua": interface(), "operators.lua": operators()}
    write({PLACE / name: text for name, text in pages.items()})


if __name__ == "__main__":
    main()
