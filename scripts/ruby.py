#!/usr/bin/env python3
"""Writes what of bindings/ruby is made of bindings/api.json: the types of the functions, the version, and the operators
as methods. With --check it writes nothing and fails if a file is not what it would be."""

import re
import sys
import textwrap

from bindings import API, OPERATORS, without_context, write
from sources import ROOT

LIB = ROOT / "bindings/ruby/lib/signalkit"
FUNCTIONS = {function["name"]: function for function in API["functions"]}
TOP = "# frozen_string_literal: true\n\n# Written by scripts/ruby.py from bindings/api.json.\n"

# ---- Types ----

TYPES = {
    "void": ":void", "bool": ":bool", "double": ":double", "int": ":int", "int64_t": ":int64", "uint64_t": ":uint64",
    "size_t": ":size_t", "const char *": ":string",
}
ENUMS = {enum["name"] for enum in API["enums"]}


def type_of(part, is_result=False):
    """The types of an argument, or of a result. A value is given as two integers, and returned as a struct."""
    if part["type"] == "sgk_value":
        return ["VALUE"] if is_result else [":uint64", ":int64"]
    if part["type"] in ENUMS:
        return [":int"]
    if part["type"] == "void *" and part.get("name") != "handle":
        return [":size_t"]
    return [TYPES.get(part["type"], ":pointer")]


def functions():
    out = [TOP, "module SignalKit", "  # @private The C interface.", "  module C"]
    for constant in API["constants"]:
        if "VERSION" not in constant["name"]:
            out.append(f"    {constant['name'].removeprefix('SGK_')} = {constant['value']}")
    for enum in API["enums"]:
        for value in enum["values"]:
            out.append(f"    {value['name'].removeprefix('SGK_')} = {value['value']}")
    sizes = ", ".join(f"{struct['name']}: {struct['bytes']}" for struct in API["structs"])
    out += [*wrapped(f"SIZES = {{ {sizes} }}.freeze"), ""]
    out.append("    # By name: what is given, what is returned.\n    FUNCTIONS = {")
    for function in API["functions"]:
        types = ", ".join(type for part in function["parameters"] for type in type_of(part))
        # A text that comes with its length may have NULs in it.
        has_length = any(part["role"] == "out_length" for part in function["parameters"])
        result = ":pointer" if has_length else type_of(function["result"], True)[0]
        out += wrapped(f"  {function['name']}: [[{types}], {result}],")
    out[-1] = out[-1].rstrip(",")
    out += ["    }.freeze"]
    waiting = [function["name"] for function in API["functions"] if function.get("waits") and
               function["kind"] != "operator"]
    out += ["", "    # They may keep their thread.", *wrapped_words("    WAITING = %i[", waiting, "].freeze")]
    return "\n".join(out + ["  end", "end", ""])


def wrapped_words(before, words, behind):
    return [before, *textwrap.wrap(" ".join(words), 110, initial_indent=" " * 6, subsequent_indent=" " * 6),
            "    " + behind]


# ---- Operators ----

# What has a method by hand (see bindings/ruby/lib/signalkit), or is no method of Ruby's.
BY_HAND = {
    "sgk_signal_map", "sgk_signal_filter", "sgk_signal_compact_map", "sgk_signal_before_next", "sgk_signal_transform",
    "sgk_signal_try_map", "sgk_signal_try_filter", "sgk_signal_create", "sgk_signal_from_array", "sgk_signal_using",
    "sgk_signal_from_iterator", "sgk_signal_with_state", "sgk_signal_retry_backoff", "sgk_combine_signals",
    "sgk_signal_from_events", "sgk_signal_fail", "sgk_signal_reduce_left_generator", "sgk_accumulating_loop",
    "sgk_signal_map_to_signal_per", "sgk_signal_grouped_by", "sgk_signal_after_disposed",
}
# What else than an Integer, a Numeric or a String is checked before the call.
CHECKS = {"integer": "integer", "limit": "limit", "seconds": "number", "number": "number", "text": "text",
          "flag": "flag"}
RUBY = {"integer": "Integer", "limit": "Integer", "seconds": "Numeric", "number": "Numeric", "text": "String",
        "flag": "Boolean", "value": "Object"}
# Those that read the Strings of their source, which otherwise stay Ruby's.
AS_DATA = {"sgk_sink_fd"}
RESERVED = {"next", "until"}


def is_generated(function):
    return function["name"] not in BY_HAND and "extends" not in function


def comment(text):
    """A header's comment in the words of Ruby."""
    text = without_context(text).replace("NULL", "nil")
    text = re.sub(r"sgk_signal_(\w+)", r"{Signal#\1}", text)
    text = re.sub(r"sgk_(combine_latest|merge_signals|zip|race|concat)\b", r"{Signal.\1}", text)
    text = re.sub(r"SGK_OVERFLOW_(\w+)", lambda match: f"`:{match.group(1).lower()}`", text)
    return text.replace("SGK_UNBOUNDED", "nil").replace("sgk_queue_async", "{Queue#async}").replace(
        "sgk_queue_dispatch", "{Queue#dispatch}").replace("sgk_", "")


def parameters(function):
    """The parameters of the method, its documentation, and the arguments of the call."""
    name = function["short"]
    given, optional, documented, arguments, shapes = [], [], [], [], []
    parts = function["parameters"]
    queue_only = not [p for p in parts[1:] if p["role"] not in ("handle",)] and function["kind"] == "operator"
    for place, part in enumerate(parts):
        role, word = part["role"], part["name"] + ("_signal" if part["name"] in RESERVED else "")
        if function["kind"] == "operator" and place == 0:
            arguments.append("data.pointer" if function["name"] in AS_DATA else "pointer")
        elif role == "handle" and part["of"] == "signal":
            given.append(word)
            documented.append(f"@param {word} [Signal]")
            arguments.append(f"Arguments.signal(:{name}, :{word}, {word})")
        elif role == "handle" and part["of"] == "queue" and not queue_only:
            optional.append("queue: nil" if part.get("optional") else "queue: Queue.main")
            documented.append("@param queue [Queue" + (", nil]" if part.get("optional") else "]"))
            arguments.append(f"Arguments.handle(:{name}, :queue, queue, Queue" +
                             (", optional: true)" if part.get("optional") else ")"))
        elif role == "handle":
            kind = "".join(piece.capitalize() for piece in part["of"].split("_"))
            given.append(word)
            documented.append(f"@param {word} [{kind}]")
            arguments.append(f"Arguments.handle(:{name}, :{word}, {word}, {kind})")
        elif role == "signals":
            given.append("*signals")
            documented.append("@param signals [Array<Signal>]")
            arguments.append("array")
        elif role == "length":
            arguments.append("count")
        elif role == "value":
            given.append(word)
            documented.append(f"@param {word} [Object]")
            arguments.append(f"*Values.give({word})")
        elif role == "limit":
            optional.append(f"{word}: nil" if part.get("unbounded") else f"{word}:")
            unbounded = part.get("unbounded")
            documented.append(f"@param {word} [Integer" + (", nil] nil: without a bound" if unbounded else "]"))
            arguments.append(f"Arguments.limit(:{name}, :{word}, {word}" + (", unbounded: true)" if unbounded else ")"))
        elif role == "overflow":
            optional.append("overflow: :error")
            documented.append("@param overflow [Symbol] `:suspend`, `:drop_oldest`, `:drop_newest`, `:keep_latest` or "
                              "`:error`")
            arguments.append(f"Arguments.overflow(:{name}, overflow)")
        elif role == "overflow_error":
            optional.append("error: nil")
            documented.append("@param error [Object] what the run fails with; nil: an {Overflow}")
            arguments.append(f"*Arguments.room(:{name}, error, counter)")
        elif role == "counter":
            optional.append("counter: nil")
            documented.append("@param counter [OverflowCounter, nil]")
        elif role == "enum":
            optional.append(f"{word}:")
            documented.append(f"@param {word} [Symbol]")
            arguments.append(f"Arguments.enum(:{name}, :{word}, {word}, "
                             f"{part['of'].removeprefix('sgk_').upper()})")
        elif role == "flag":
            optional.append(f"{word}: false")
            documented.append(f"@param {word} [Boolean]")
            arguments.append(f"{word} ? true : false")
        elif role in CHECKS:
            given.append(word)
            documented.append(f"@param {word} [{RUBY[role]}]")
            arguments.append(f"Arguments.{CHECKS[role]}(:{name}, :{word}, {word})")
        elif role == "callback":
            shapes.append(part["shape"])
            arguments.append("entry")
        elif role in ("context", "destroy"):
            arguments.append(role)
        else:
            sys.exit(f"{function['name']}: {part}")
    required_first = sorted(optional, key=lambda word: not word.endswith(":"))
    return given + required_first, documented, arguments, shapes


def entry(shape):
    return ":" + shape.removeprefix("sgk_").removesuffix("_fn")


def method(function):
    """The method of an operator or a source, and of the form with a block that extends it."""
    longer = next((f for f in API["functions"] if f.get("extends") == function["name"]), None)
    takes, documented, arguments, shapes = parameters(function)
    text = comment(function["comment"])
    if longer:
        _, _, longer_arguments, shapes = parameters(longer)
        text += f"\nWith a block: {comment(longer['comment'])}"
    lines = [part for paragraph in text.split("\n")
             for part in textwrap.wrap(paragraph, 112, subsequent_indent="  " if paragraph.startswith("- ") else "")]
    signature = takes + (["&block"] if shapes else [])
    out = ["# " + line for line in lines + documented + ["@return [Signal]"]]
    name = ("self." if function["kind"] != "operator" else "") + function["short"]
    out.append(f"def {name}" + (f"({', '.join(signature)})" if signature else ""))
    c, late = function["name"], ", late: true" if function.get("late") else ""

    def plain(function, arguments):
        call = f"C.{function['name']}({', '.join(arguments)})"
        if "array" in arguments:
            call = f"Signal.listed(:{function['short']}, signals) {{ |array, count| {call} }}"
            return f"Signal.made({call}).hold(*signals)"
        if function["kind"] != "operator":
            return f"Signal.made({call})"
        others = [p["name"] + ("_signal" if p["name"] in RESERVED else "") for p in function["parameters"][1:]
                  if p.get("of") == "signal"] + (["data"] if function["name"] in AS_DATA else [])
        return f"derived({', '.join([call, *others])})"

    def calling(function, arguments):
        fails = {callback["name"]: callback["fails"] for callback in API["callbacks"]}
        guarded = not function.get("late") and not all(fails[shape] for shape in shapes)
        how = "guarded" if guarded else "with_callback"
        on = "" if function["kind"] == "operator" else "Signal."
        inside = f"C.{function['name']}({', '.join(arguments)})"
        if "array" in arguments:
            inside = f"Signal.listed(:{function['short']}, signals) {{ |array, count| {inside} }}"
        return [f"{on}{how}(:{function['short']}, block, {entry(shapes[0])}) do |entry, context, destroy|",
                f"  {inside}", "end"]

    if longer:
        out += ["  unless block", f"    return {plain(function, arguments)}", "  end", ""]
    if function.get("waits"):
        out.append("  Border.may_wait")
    if function["name"] in AS_DATA:
        out.append("  data = as_data")
    body = calling(longer or function, longer_arguments if longer else arguments) if shapes else [
        plain(function, arguments)]
    out += ["  " + line for line in body] + ["end"]
    return "\n".join(part for line in out for part in wrapped(line))


def wrapped(line):
    """A line of a method, in several if it is long."""
    if line.startswith("#") or not line:
        return ["    " + line if line else ""]
    indent = " " * (4 + len(line) - len(line.lstrip()))
    return textwrap.wrap(line.strip(), 120, initial_indent=indent, subsequent_indent=indent + "  ",
                         break_long_words=False, break_on_hyphens=False)


def operators():
    made = [function for function in OPERATORS if is_generated(function)]
    on_signals = [method(function) for function in made if function["kind"] == "operator"]
    of_class = [method(function) for function in made if function["kind"] != "operator"]
    return "\n".join([TOP, "module SignalKit", "  class Signal < Handle", "    # ---- Where signals come from ----\n",
                      "\n\n".join(of_class), "\n    # ---- Operators ----\n", "\n\n".join(on_signals),
                      "  end", "end", ""])


def shapes():
    """The shapes of the callbacks that those functions have: what is given, what comes back."""
    used = {p["shape"] for f in API["functions"] for p in f["parameters"] if p["role"] == "callback"}
    out = [TOP, "module SignalKit", "  module Border",
           "    # By shape: the roles of what a block is given, and that of what it returns.", "    SHAPES = {"]
    for callback in API["callbacks"]:
        if callback["name"] in used and callback["name"] not in ("sgk_function", "sgk_destroy_fn"):
            roles = [p.get("of", p["role"]) for p in callback["parameters"] if p["role"] != "context"]
            result = callback["result"].get("of", callback["result"]["role"])
            out.append(f"      {entry(callback['name'])[1:]}: [%i[{' '.join(roles)}], :{result}],")
    out[-1] = out[-1].rstrip(",")
    return "\n".join(out + ["    }.freeze", "  end", "end", ""])


def version():
    return f"{TOP}\nmodule SignalKit\n  # The library's.\n  VERSION = '{API['version']}'\nend\n"


def main():
    pages = {"functions.rb": functions(), "operators.rb": operators(), "shapes.rb": shapes(), "version.rb": version()}
    write({LIB / name: text for name, text in pages.items()})


if __name__ == "__main__":
    main()
