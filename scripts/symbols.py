#!/usr/bin/env python3
"""Prints the functions that the public headers declare, one per line. The library must export exactly these. With
--with-pointers it prints only functions with a pointer or function parameter, which can be NULL. With --with-values it
prints only functions with a value parameter, which can be transferred, or with a bound, which contains a value. Fails
if the compiler reads another result or other parameters than sources.py."""
import sys

from sources import all_functions, compiled

ASKED = {
    "--with-pointers": lambda type: "*" in type or type.endswith("_fn "),
    # not where one is put
    "--with-values": lambda type: "sgk_value " in type and type != "sgk_value *" or type == "const sgk_bound *",
}
wrong = {
    (f.name, f.result.strip(), tuple((type.strip(), name) for type, name in f.parameters)) for f in all_functions()
} ^ {(name, type.split("(")[0].strip(), tuple(parameters))
     for kind, name, type, parameters in compiled("signalkit/all.h") if kind == "FunctionDecl"}
if wrong:
    sys.exit("\n".join(f"read by the compiler or by sources.py alone: {one}" for one in sorted(wrong)))
chosen = [ASKED[option] for option in sys.argv[1:]]
print("\n".join(
    sorted(f.name for f in all_functions() if all(any(asked(type) for type, _ in f.parameters) for asked in chosen))))
