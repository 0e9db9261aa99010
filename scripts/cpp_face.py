#!/usr/bin/env python3
"""Checks that C++ has the functions of C: include/signalkit/cpp calls each exported function, or a regular expression
in Tests/abi/without_cpp.tsv lists it with a reason. Each line there must still apply."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def called():
    text = "\n".join(
        path.read_text(encoding="utf-8") for path in sorted((ROOT / "include/signalkit/cpp").glob("*.hpp")))
    return set(re.findall(r"\bsgk_\w+", re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)))


def main():
    exported = (ROOT / "Tests/abi/symbols.txt").read_text(encoding="utf-8").split()
    _, *lines = (ROOT / "Tests/abi/without_cpp.tsv").read_text(encoding="utf-8").splitlines()
    reached, faults = called(), []
    without = {
        pattern: [name for name in exported if re.fullmatch(pattern, name)]
        for pattern, _ in (line.split("\t") for line in lines)
    }
    for pattern, names in without.items():
        faults += [f"{pattern}: no exported function"] if not names else []
        faults += [f"{name}: C++ calls it after all" for name in names if name in reached]
    excused = {name for names in without.values() for name in names}
    faults += [f"{name}: C++ has it not" for name in exported if name not in reached | excused]
    print("\n".join(faults + [f"{len(exported)} functions, {len(excused)} of them not in C++, {len(faults)} faults"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
