#!/usr/bin/env python3
"""Prints the functions that the public headers declare, one a line: what the library must export, and nothing else.
With --with-pointers only those with a pointer, or a function, among their parameters: what can be called with NULL.
With --with-values only those with a value among them: what it can be given away to."""
import sys

from sources import functions

ASKED = {
    "--with-pointers": lambda type: "*" in type or type.endswith("_fn "),
    "--with-values": lambda type: "sgk_value " in type and type != "sgk_value *",  # not where one is put
}
chosen = [ASKED[option] for option in sys.argv[1:]]
print("\n".join(
    sorted(f.name for f in functions() if all(any(asked(type) for type, _ in f.parameters) for asked in chosen))))
