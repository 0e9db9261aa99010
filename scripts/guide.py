#!/usr/bin/env python3
"""Holds docs/guide.md to the programs in examples/c/guide: `guide.py BUILD COMPILER FLAGS…`.

A link to a program begins its part of the guide. Each ```c block there has to stand in the program, line for line, and
each ```output block has to be what the program prints, of which pointers do not matter. Every program is to be in the
guide, and to compile without a warning."""
import os, pathlib, re, subprocess, sys

root = pathlib.Path(__file__).resolve().parent.parent
programs = root / "examples" / "c" / "guide"
build, *compiler = sys.argv[1:]
os.makedirs(build, exist_ok=True)
_, *parts = re.split(r"\(\.\./examples/c/guide/(\w+)\.c\)", (root / "docs" / "guide.md").read_text())
guide = {}
for name, text in zip(parts[::2], parts[1::2]): guide[name] = guide.get(name, "") + text
complaints, snippets = [], 0


def printed(text): return re.sub(r"0x[0-9a-f]+", "0x…", re.sub(r"\d+\.\d{6} \[\d+\]", "0.0 [0]", text)).strip()


for program in sorted(programs.glob("*.c")):
    source, text = program.read_text(), guide.pop(program.stem, None)
    binary = os.path.join(build, program.stem)
    warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    subprocess.run([*compiler[:1], "-std=c11", *warnings, str(program), "-o", binary, *compiler[1:]], check=True)
    done = subprocess.run([binary], env=dict(os.environ, SIGNALKIT_DEBUG="1"), capture_output=True, text=True)
    if done.returncode or done.stderr: complaints.append(f"{program.stem}: {done.returncode}, {done.stderr}")
    if text is None:
        complaints.append(f"{program.stem} is not in the guide")
        continue
    blocks = re.findall(r"^```(c|output)\n(.*?)^```$", text, flags=re.M | re.S)
    for language, block in blocks:
        snippets += 1
        if language == "c" and "\n" + block not in "\n" + source:
            complaints.append(f"{program.stem}: not in the program:\n{block}")
        if language == "output" and printed(block) != printed(done.stdout):
            complaints.append(f"{program.stem} prints:\n{done.stdout}not:\n{block}")
    if {"c", "output"} - {language for language, _ in blocks}:
        complaints.append(f"{program.stem}: the guide does not show it, or not what it prints")

complaints += [f"{name}: there is no such program" for name in guide]
for complaint in complaints: print(complaint)
print(snippets, "snippets")
sys.exit(1 if complaints else 0)
