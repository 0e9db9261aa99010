#!/usr/bin/env python3
"""Prints the layout of the public types: sizes, offsets, the values of enumerations, as a C compiler sees them, and of
macros that are numbers. With --c++, as a C++ compiler does.

Tests/abi/layout.txt records it: what stands there is promised. A struct that a program fills may grow at its end, an
enumeration may get more values; nothing else may change.
"""
import pathlib, re, subprocess, sys, tempfile

include = pathlib.Path(__file__).resolve().parent.parent / "include"
compiler = ["c++", "-x", "c++", "-std=c++17"] if "--c++" in sys.argv else ["cc", "-x", "c", "-std=c11"]


def run(command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


text = run([*compiler, "-E", "-P", f"-I{include}", "-"], "#include <signalkit.h>\n")
lines = []
for kind, name, body in re.findall(r"typedef (struct|enum) (sgk_\w+) \{(.*?)\} \2;", text, flags=re.S):
    lines.append((f"{kind} {name}", f"sizeof({name})"))
    if kind == "enum":
        lines += [(f"    {value}", value) for value in re.findall(r"(SGK_\w+)\s*=", body)]
    else:
        fields = [
            re.search(r"\(\*(\w+)\)|(\w+)\s*$",
                      field.split(")(")[0] + (")" if ")(" in field else "")) for field in body.split(";")
            if field.strip()
        ]
        for field in (match.group(1) or match.group(2) for match in fields):
            lines.append((f"    {field}", f"offsetof({name}, {field}), sizeof((({name} *)0)->{field})"))

number = r"\(?-?(?:0x)?[0-9a-f]+u?\)?"
for header in sorted((include / "signalkit").glob("*.h")):
    for name, _ in re.findall(rf"^#define (SGK_(?!VERSION)\w+) ({number})$", header.read_text(), flags=re.M):
        lines.append((name, name))

program = "#include <signalkit.h>\n#include <stdio.h>\nint main(void) {\n"
for label, numbers in lines:
    count = numbers.count(", sizeof") + 1
    places = " ".join(["%lld"] * count)
    values = ", ".join(f"(long long)({number})" for number in (re.split(r", (?=sizeof)", numbers)))
    program += f'    printf("{label} {places}\\n", {values});\n'
program += "    return 0;\n}\n"

with tempfile.TemporaryDirectory() as place:
    run([*compiler, f"-I{include}", "-", "-o", f"{place}/layout"], program)
    print(run([f"{place}/layout"]), end="")
