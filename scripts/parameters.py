#!/usr/bin/env python3
"""Looks that Tests/C/parameters.c has every operator, and every source, that takes a number, a time or a bound."""
import json
import re
import sys

from sources import ROOT

ROLES = {"seconds", "unix_time", "limit", "integer", "number"}
HEADERS = re.compile(r"operators-\w+|sources|sharing|descriptors")
SETS = {"events", "mask"}  # of bits, which say nothing as a number


def main():
    functions = json.loads((ROOT / "bindings/api.json").read_text(encoding="utf-8"))["functions"]
    with_parameters = [
        function["name"] for function in functions
        if HEADERS.fullmatch(function["header"]) and function["kind"] in ("source", "operator", "combination") and
        any(parameter["role"] in ROLES and parameter["name"] not in SETS for parameter in function["parameters"])
    ]
    test = (ROOT / "Tests/C/parameters.c").read_text(encoding="utf-8")
    missing = [name for name in with_parameters if f"says({name}(" not in test]
    print("\n".join([*(f"Tests/C/parameters.c: no {name}" for name in missing), f"{len(with_parameters)} operators"]))
    sys.exit(len(missing) > 0)


if __name__ == "__main__":
    main()
