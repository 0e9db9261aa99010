#!/usr/bin/env python3
"""Writes what of bindings/perl is made of bindings/api.json: the types of the functions, and the operators as methods.
With --check it writes nothing and fails if a file is not what it would be. What is made by hand is so as in Lua, since
neither has callbacks that return values."""

import re
import sys
import textwrap

from bindings import API, OPERATORS, method_of, without_context, write
from lua import is_generated
from sources import ROOT

PLACE = ROOT / "bindings/perl/lib/SignalKit"
TOP = "# Written by scripts/perl.py from bindings/api.json.\n"
ENUMS = {enum["name"] for enum in API["enums"]}
TYPES = {"void": "void", "bool": "bool", "double": "double", "int": "int", "int64_t": "sint64", "uint64_t": "uint64",
         "size_t": "size_t", "const char *": "string"}
FAILS = {callback["name"]: callback.get("fails") for callback in API["callbacks"]}
BYTES = {"sgk_string_n", "sgk_value_data"}
# How an argument of a call is written.
CHECKED = "{check}('{{name}}', '{{word}}', ${{word}})"
WRITTEN = {
    "signals": "$array", "length": "$count", "callback": "@_", "context": None, "destroy": None,
    "signal": "pointer('{name}', '{word}', ${word}, 'SignalKit::Signal')",
    "handle": "pointer('{name}', '{word}', ${word}, 'SignalKit::{kind}')",
    "value": "give(${word})",
    "queue": "queue_of('{name}', \\%options, {free})",
    "limit": "limit('{name}', '{word}', \\%options, {free})",
    "overflow": "overflow('{name}', \\%options)",
    "overflow_error": "room('{name}', \\%options)", "counter": None,
    "enum": "edges('{name}', \\%options)",
    "flag": "($options{{{word}}} ? 1 : 0)",
    "integer": CHECKED.format(check="integer"), "text": CHECKED.format(check="text"),
    "number": CHECKED.format(check="number"), "seconds": CHECKED.format(check="number"),
}

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
    return method_of(function, WRITTEN, ("0", "1"))


def method(function):
    longer = next((f for f in API["functions"] if f.get("extends") == function["name"]), None)
    name, takes, options, arguments, shape = parts(function)
    own = function["kind"] == "operator"
    given = ["$f" if role == "callback" else f"${word}" for role, word, _ in takes]
    text = comment(function["comment"])
    if longer:
        text += "\n\nWith a function: " + comment(longer["comment"])
    usage = ", ".join(given + ["$f"] * bool(longer) + ["%options"] * bool(options))
    out = [f"=head2 {'$signal->' if own else 'SignalKit::'}{name}({usage})", "", text, ""]
    out += [line for word, kind in options for line in (f"Option C<{word}>: {kind}.", "")] + ["=cut", ""]
    out += [f"sub {name} {{" if own else f"sub SignalKit::{name} {{"]
    if longer and options:
        out.append("    my $f = ref $_[1] eq 'CODE' ? splice @_, 1, 1 : undef;")
    names = (["$self"] if own else []) + given + ["$f"] * bool(longer and not options) + ["@options"] * bool(options)
    if names:
        out.append(f"    my ({', '.join(names)}) = @_;")
    if options:
        out.append(f"    my %options = known('{name}', [qw({' '.join(word for word, _ in options)})], @options);")
    if own:
        out.append("    my $source = raw($self);")
    call = f"{function['name']}({', '.join((['$source'] if own else []) + arguments)})"
    if longer and longer["name"] == "sgk_signal_distinct_by":
        out.append("    return by_key($self, $f, sub { shift->distinct(%options) }) if $f;")
    elif longer and longer["name"] == "sgk_signal_distinct_until_changed_by":
        more = parts(longer)
        out += [f"    return guarded($self, '{name}', $f, '{more.shape}', sub {{", "        my $source = shift;",
                f"        return {longer['name']}({', '.join(['$source', *more.arguments])});", "    }) if $f;"]
    elif longer:
        rest = ", ".join(given + ["%options"] * bool(options))
        same = f"$self->{name}({rest})" if own else f"SignalKit::{name}({rest})"
        out.append(f"    return {same}->map(spread('{name}', $f)) if $f;")
    if shape:
        how = "with_callback" if function.get("late") or FAILS["sgk_" + shape + "_fn"] else "guarded"
        out += [f"    return {how}($self, '{name}', $f, '{shape}', sub {{", "        my $source = shift;",
                f"        return {call};", "    });"]
    elif "$array" in arguments:
        out += [f"    return listed('{name}', $sources, sub {{", "        my ($array, $count) = @_;",
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
