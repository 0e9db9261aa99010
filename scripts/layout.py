#!/usr/bin/env python3
"""Prints the layout of the public types by a C compiler: sizes, offsets, the values of enumerations and of numeric
macros. With --c++, by a C++ compiler.

Tests/abi/layout.txt records the layout, which is a promise. A struct that a program fills may grow at its end, and an
enumeration may get more values. Nothing else may change.
"""
import re, subprocess, sys, tempfile

from sources import ROOT, compiled

include = ROOT / "include"
compiler = ["c++", "-x", "c++", "-std=c++17"] if "--c++" in sys.argv else ["cc", "-x", "c", "-std=c11"]


def run(command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


lines = []
for kind, name, _, parts in compiled("signalkit/all.h"):
    if name and parts and kind != "FunctionDecl":
        lines.append((f"{kind.removesuffix('Decl').replace('Record', 'struct').lower()} {name}", f"sizeof({name})"))
        lines += [(f"    {part}", part if kind == "EnumDecl" else
                   f"offsetof({name}, {part}), sizeof((({name} *)0)->{part})") for _, part in parts]

number = r"\(?-?(?:0x)?[0-9a-f]+u?\)?"
for header in sorted((include / "signalkit").glob("*.h")):
    for name, _ in re.findall(rf"^#define (SGK_(?!VERSION)\w+) ({number})$", header.read_text(), flags=re.M):
        lines.append((name, name))

program = "#include <signalkit/all.h>\n#include <stdio.h>\nint main(void) {\n"
for label, numbers in lines:
    count = numbers.count(", sizeof") + 1
    places = " ".join(["%lld"] * count)
    values = ", ".join(f"(long long)({number})" for number in (re.split(r", (?=sizeof)", numbers)))
    program += f'    printf("{label} {places}\\n", {values});\n'
program += "    return 0;\n}\n"

with tempfile.TemporaryDirectory() as place:
    run([*compiler, f"-I{include}", "-", "-o", f"{place}/layout"], program)
    print(run([f"{place}/layout"]), end="")
