#!/usr/bin/env python3
"""Holds the table of docs/conventions.md that says how long a callback's context lives to the headers: each function
that takes a callback is in one of its rows, by its name or its header's (as `operators-*.h`), and each name there is
one of such a function or header."""

import re
import sys
from fnmatch import fnmatch

from sources import ROOT, compiled, functions

TABLE = re.compile(r"^\| registered by \| lives until \|\n\|[- |]*\n((?:\|.*\n)*)", flags=re.M)


def with_callbacks():
    """The functions that take a function, or a structure of functions."""
    structures = [name for _, name, _, fields in compiled("signalkit/all.h")
                  if any("(*)" in type or type.endswith("_fn") for type, _ in fields)]
    pointers = {f"const {name} *" for name in structures}
    for function in functions():
        if any(type in pointers or type.endswith("_fn ") or type == "sgk_function "
               for type, _ in function.parameters):
            yield function


def main():
    rows = TABLE.search((ROOT / "docs/conventions.md").read_text(encoding="utf-8")).group(1).splitlines()
    listed = [name for row in rows for name in re.findall(r"`([^`]*)`", row.split("|")[1])]
    found = list(with_callbacks())
    wrong = [f"{function.name}: no row says how long its context lives" for function in found
             if not any(name == function.name or fnmatch(function.header + ".h", name) for name in listed)]
    wrong += [f"{name}: neither a function that takes a callback nor a header of one" for name in listed
              if not any(name == function.name or fnmatch(function.header + ".h", name) for function in found)]
    wrong += [f"{name}: twice" for name in sorted({name for name in listed if listed.count(name) > 1})]
    print("\n".join([*(f"docs/conventions.md: {fault}" for fault in wrong), f"{len(found)} functions with callbacks"]))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
