#!/usr/bin/env python3
"""Writes what of bindings/lua is made of bindings/api.json: the C interface as LuaJIT's FFI reads it, and the operators
as methods. With --check it writes nothing and fails if a file is not what it would be."""

import re
import sys
import textwrap

from bindings import API, OPERATORS, method_of, without_context, write
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
# How an argument of a call is written.
CHECKED = '{check}("{{name}}", "{{word}}", {{word}})'
WRITTEN = {
    "signals": "array", "length": "count", "callback": "entry", "context": "context", "destroy": "destroy",
    "signal": 'handle("{name}", "{word}", {word}, Signal)',
    "handle": 'handle("{name}", "{word}", {word}, signalkit.{kind})',
    "value": "give({word})",
    "queue": 'queue("{name}", options, {free})',
    "limit": 'limit("{name}", "{word}", options, {free})',
    "overflow": 'overflow("{name}", options)',
    "overflow_error": 'room("{name}", options)', "counter": None,
    "enum": 'enum("{name}", "{word}", options, {enum})',
    "flag": "options and options.{word} or false",
    "integer": CHECKED.format(check="integer"), "text": CHECKED.format(check="text"),
    "number": CHECKED.format(check="number"), "seconds": CHECKED.format(check="number"),
}
# What the documentation calls the type of what is taken.
TYPES = {"signals": "tparam {Signal,...}", "signal": "tparam Signal", "value": "param", "callback": "tparam function",
         "integer": "tparam integer", "number": "tparam number", "seconds": "tparam number", "text": "tparam string"}


def is_generated(function):
    return function["name"] not in BY_HAND and "extends" not in function


def comment(text):
    """A header's comment in the words of Lua."""
    text = without_context(text).replace("NULL", "nil")
    text = re.sub(r"sgk_(?:signal_)?(\w+)", lambda match: RENAMED.get(match[1], match[1]), text)
    text = re.sub(r"SGK_OVERFLOW_(\w+)", lambda match: f'"{match[1].lower()}"', text)
    return text.replace("SGK_UNBOUNDED", "nil").replace("[", "(").replace("]", ")")


def parts(function):
    return method_of(function, WRITTEN, ("false", "true"), RENAMED)


def documented(method, longer):
    """What it takes, its options, and what it returns."""
    out = []
    for role, word, kind in method.takes:
        text = "f" + (f" `{word}`" if word != "f" else "") if role == "callback" else word
        out.append(f"-- @{TYPES.get(role, 'tparam ' + kind)} {text}" + (" anything" if role == "value" else ""))
    out += ["-- @tparam[opt] function f"] * bool(longer) + ["-- @tparam[opt] table options"] * bool(method.options)
    return out + [f"-- @param[opt] options.{word} {text}" for word, text in method.options] + ["-- @treturn Signal"]


def method(function):
    """The method of an operator, or the function of a source; with what it is called with a function more."""
    longer = next((f for f in API["functions"] if f.get("extends") == function["name"]), None)
    made = parts(function)
    name, own = made.name, function["kind"] == "operator"
    takes = ["f" if role == "callback" else word for role, word, _ in made.takes] + ["f"] * bool(longer)
    text = comment(function["comment"])
    if longer:
        text += "\nWith a function: " + comment(longer["comment"])
    out = ["--- " + line if index == 0 else "-- " + line
           for index, line in enumerate(part for paragraph in text.split("\n")
                                        for part in textwrap.wrap(paragraph, 112))]
    out += documented(made, longer)
    listed = ", ".join(takes + ["options"] * bool(made.options))
    out.append(f"function {'Signal:' if own else 'signalkit.'}{name}({listed})")
    if made.options:
        out.append(f'    known("{name}", options, "{" ".join(word for word, _ in made.options)}")')
    call = f"C.{function['name']}({', '.join((['source'] if own else []) + made.arguments)})"
    if longer and longer["name"] == "sgk_signal_distinct_by":
        out.append(f"    if f then return by_key(self, f, function(keys) return keys:{name}(nil, options) end) end")
    elif longer and longer["name"] == "sgk_signal_distinct_until_changed_by":
        more = parts(longer)
        out += ["    if f then", f'        return guarded(self, "{name}", f, "{more.shape}",',
                "            function(source, entry, context, destroy)",
                f"                return C.{longer['name']}({', '.join(['source', *more.arguments])})",
                "            end)", "    end"]
    elif longer:
        rest = [take for take in takes if take != "f"] + ["nil", "options"] * bool(made.options)
        out.append(f'    if f then return {"self:" if own else "signalkit."}{name}({", ".join(rest)})'
                   f':map(spread("{name}", f)) end')
    kept = [word for role, word, _ in made.takes if role == "signal"]
    if made.shape:
        fails = next(callback.get("fails") for callback in API["callbacks"]
                     if callback["name"] == f"sgk_{made.shape}_fn")
        how = "with_callback" if function.get("late") or fails else "guarded"
        out += [f'    return {how}(self, "{name}", f, "{made.shape}", function(source, entry, context, destroy)',
                f"        return {call}", f"    end){hold(kept)}"]
    elif "array" in made.arguments:
        out += [f'    return listed("{name}", sources, function(array, count)', f"        return {call}", "    end)"]
    elif own:
        out += ["    local source = raw(self)", f"    return made({call}):hold({', '.join(['self', *kept])})"]
    else:
        out.append(f"    return made({call})")
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
           "local limit, overflow, room = arguments.limit, arguments.overflow, arguments.room",
           "local handle, queue, known = arguments.handle, arguments.queue, arguments.known",
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
