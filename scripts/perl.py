#!/usr/bin/env python3
"""Writes what of bindings/perl is made of bindings/api.json: the types of the functions, and the operators as methods.
With --check it writes nothing and fails if a file is not what it would be. What is made by hand is so as in Lua, since
neither has callbacks that return values."""

import re
import sys
import textwrap

from bindings import API, OPERATORS, without_context, write
from lua import is_generated
from sources import ROOT

PLACE = ROOT / "bindings/perl/lib/SignalKit"
TOP = "# Written by scripts/perl.py from bindings/api.json.\n"
ENUMS = {enum["name"] for enum in API["enums"]}
TYPES = {"void": "void", "bool": "bool", "double": "double", "int": "int", "int64_t": "sint64", "uint64_t": "uint64",
         "size_t": "size_t", "const char *": "string"}
FAILS = {callback["name"]: callback.get("fails") for callback in API["callbacks"]}
BYTES = {"sgk_string_n", "sgk_value_data"}

# ---- Types ----


def type_of(part, is_result=False):
    """A value is given as two integers, and returned as a record."""
    if part["type"] == "sgk_value":
        return ["value"] if is_result else ["uint64", "uint64"]
    if part["role"] == "out_length":
        return ["size_t*"]
    return ["int" if part["type"] in ENUMS else TYPES.get(part["type"], "opaque")]


def interface():
    out = [TOP, "package SignalKit::Interface;", "use strict;", "use warnings;", "", "our %CONSTANTS = ("]
    for group in [API["constants"], *(enum["values"] for enum in API["enums"])]:
        out += [f"    {value['name'].removeprefix('SGK_')} => {value['value']},"
                for value in group if "VERSION" not in value["name"]]
    out += [");", "", "# By name: what is given, what is returned.", "our %FUNCTIONS = ("]
    for function in API["functions"]:
        given = " ".join(kind for part in function["parameters"] for kind in type_of(part))
        result = type_of(function["result"], True)[0]
        if function["name"] in BYTES: # there may be a NUL inside
            given, result = given.replace("string", "opaque"), result.replace("string", "opaque")
        out += textwrap.wrap(f"{function['name']} => [[qw({given})], '{result}'],", 116, initial_indent="    ",
                             subsequent_indent="        ", break_long_words=False)
    return "\n".join(out + [");", "", "1;", ""])


def version():
    return f"{TOP}package SignalKit::Version;\nuse strict;\nuse warnings;\nour $VERSION = '{API['version']}';\n1;\n"


# ---- Operators ----


def comment(text):
    """A header's comment in the words of Perl, as POD."""
    text = without_context(text).replace("NULL", "undef")
    text = re.sub(r"sgk_(?:signal_)?(\w+)", r"\1", text)
    text = re.sub(r"SGK_OVERFLOW_(\w+)", lambda match: f"'{match[1].lower()}'", text)
    text = re.sub(r"`([^`<>]*)`", r"C<\1>", text.replace("SGK_UNBOUNDED", "undef"))
    return "\n\n".join("\n".join(textwrap.wrap(part, 112)) for part in text.split("\n"))


def parts(function):
    """What the method takes, its options, the arguments of the call, and the shape of its callback."""
    name, own = function["short"], function["kind"] == "operator"
    takes, options, arguments, shape = [], [], ["$source"] if own else [], None
    rest = function["parameters"][1:] if own else function["parameters"]
    for part in rest:
        role, word = part["role"], part["name"]
        where = f"'{name}', '{word}'"
        if role == "signals":
            takes.append("$signals")
            arguments.append("$array")
        elif role == "length":
            arguments.append("$count")
        elif role == "handle" and part["of"] == "queue" and len(rest) > 1:
            options.append(("queue", "a queue" + ("" if part.get("optional") else "; otherwise the main one")))
            arguments.append(f"queue_of('{name}', \\%options, {int(bool(part.get('optional')))})")
        elif role == "handle":
            kind = "".join(piece.capitalize() for piece in part["of"].split("_"))
            takes.append(f"${word}")
            arguments.append(f"pointer({where}, ${word}, 'SignalKit::{kind}')")
        elif role == "value":
            takes.append(f"${word}")
            arguments.append(f"give(${word})")
        elif role == "limit":
            free = int(bool(part.get("unbounded")))
            options.append((word, "a number; otherwise there is no bound" if free else "a number"))
            arguments.append(f"limit({where}, \\%options, {free})")
        elif role == "overflow":
            options.append(("overflow", "'suspend', 'drop_oldest', 'drop_newest', 'keep_latest', or otherwise 'error'"))
            arguments.append(f"overflow('{name}', \\%options)")
        elif role == "overflow_error":
            options.append(("error", "what the run fails with then"))
            arguments.append(f"overflow_error('{name}', \\%options)")
        elif role == "counter":
            options.append(("counter", "a SignalKit::OverflowCounter"))
            arguments.append(f"counter('{name}', \\%options)")
        elif role == "enum":
            options.append((word, "'leading', 'trailing' or 'both'"))
            arguments.append(f"edges('{name}', \\%options)")
        elif role == "flag":
            options.append((word, "a flag"))
            arguments.append(f"($options{{{word}}} ? 1 : 0)")
        elif role in ("integer", "seconds", "number", "text"):
            takes.append(f"${word}")
            check = "number" if role == "seconds" else role
            arguments.append(f"{check}({where}, ${word})")
        elif role == "callback":
            takes.append("$f")
            shape = part["shape"].removeprefix("sgk_").removesuffix("_fn")
            arguments.append("@_")
        elif role not in ("context", "destroy"):
            sys.exit(f"{function['name']}: {part}")
    return name, takes, options, arguments, shape


def method(function):
    longer = next((f for f in API["functions"] if f.get("extends") == function["name"]), None)
    name, takes, options, arguments, shape = parts(function)
    own = function["kind"] == "operator"
    text = comment(function["comment"])
    if longer:
        takes.append("$f")
        text += "\n\nWith a function: " + comment(longer["comment"])
    usage = ", ".join(takes + ["%options"] * bool(options))
    out = [f"=head2 {'$signal->' if own else 'SignalKit::'}{name}({usage})", "", text, ""]
    out += [line for word, kind in options for line in (f"Option C<{word}>: {kind}.", "")] + ["=cut", ""]
    out += [f"sub {name} {{" if own else f"sub SignalKit::{name} {{"]
    given = (["$self"] if own else []) + takes
    if longer and options:
        out.append("    my $f = ref $_[1] eq 'CODE' ? splice @_, 1, 1 : undef;")
        given.remove("$f")
    if given or options:
        out.append(f"    my ({', '.join(given + ['%options'] * bool(options))}) = @_;")
    if own:
        out.append("    my $source = raw($self);")
    if longer and "distinct" in name:
        _, _, _, more, longer_shape = parts(longer)
        if longer["name"] == "sgk_signal_distinct_by":
            out.append("    return by_key($self, $f, sub { shift->distinct(%options) }) if $f;")
        else:
            out += [f"    return guarded($self, '{name}', $f, '{longer_shape}', sub {{", "        my $source = shift;",
                    f"        return {longer['name']}({', '.join(more)});", "    }) if $f;"]
    elif longer:
        rest = ", ".join([take for take in takes if take != "$f"] + ["%options"] * bool(options))
        call = f"$self->{name}({rest})" if own else f"SignalKit::{name}({rest})"
        out.append(f"    return {call}->map(spread('{name}', $f)) if $f;")
    call = f"{function['name']}({', '.join(arguments)})"
    if shape:
        how = "with_callback" if function.get("late") or FAILS["sgk_" + shape + "_fn"] else "guarded"
        out += [f"    return {how}($self, '{name}', $f, '{shape}', sub {{", "        my $source = shift;",
                f"        return {call};", "    });"]
    elif "$array" in arguments:
        out += [f"    return listed('{name}', $signals, sub {{", "        my ($array, $count) = @_;",
                f"        return {call};", "    });"]
    else:
        out.append(f"    return made({call});")
    return "\n".join(part for text in out + ["}"] for line in text.split("\n") for part in wrapped(line))


def wrapped(line):
    if len(line) <= 118 or line.startswith("="):
        return [line]
    indent = re.match(r"\s*", line)[0]
    return textwrap.wrap(line.strip(), 118, initial_indent=indent, subsequent_indent=indent + "    ",
                         break_long_words=False)


def operators():
    made = [method(function) for function in OPERATORS if is_generated(function)]
    top = [TOP, "package SignalKit::Signal;", "use strict;", "use warnings;", "use SignalKit::Border ':all';",
           "use SignalKit::Values ':all';", "use SignalKit::Arguments ':all';", "", "=encoding UTF-8", "",
           "=head1 NAME", "", "SignalKit::Operators - the operators, methods of SignalKit::Signal, and the sources", "",
           "=head1 METHODS AND FUNCTIONS", "", "=cut", ""]
    return "\n".join(top) + "\n" + "\n\n".join(made) + "\n\n1;\n"


def main():
    pages = {"Interface.pm": interface(), "Operators.pm": operators(), "Version.pm": version()}
    write({PLACE / name: text for name, text in pages.items()})


if __name__ == "__main__":
    main()
