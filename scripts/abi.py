#!/usr/bin/env python3
"""Compares the declarations of the library and its companions with the record in Tests/abi/declarations.txt. abidiff
compares both in compiled form.

  abi.py             prints the changes, and fails unless all are additions: functions, values of enumerations, fields
                     at the end of structs that begin with their size
  abi.py --current   fails if the record is incomplete: before a release
  abi.py --record    writes the record (make abi). After a release of the version, it accepts only additions, unless the
                     new version is a MAJOR one
"""

import re
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RECORD = ROOT / "Tests/abi/declarations.txt"
VERSION = re.search(r"^VERSION := (.*)", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.M)[1]


def declarations():
    """All of them, each on a line, as the preprocessor leaves them, but for inline ones, which are a program's."""
    headers = sorted(ROOT.glob("companions/*/include"))
    program = "#include <signalkit/all.h>\n" + "".join(f"#include <signalkit/{h.parent.name}.h>\n" for h in headers)
    lines, is_ours = [], False
    for line in subprocess.run(["cc", "-E", "-std=c11", "-", "-I", ROOT / "include"] + [f"-I{h}" for h in headers],
                               input=program, check=True, capture_output=True, text=True).stdout.splitlines():
        if marker := re.match(r'# \d+ "(.*?)"', line):
            is_ours = marker[1].startswith(str(ROOT))
        elif is_ours:
            lines.append(line)
    text = re.sub(r"__attribute__\(\([^()]*(\([^()]*\))?\)\) *", "", "\n".join(lines))
    text = re.sub(r"__extension__ _Static_assert\([^;]*;", "", text)
    body = r"\{[^{}]*\}"
    for _ in range(2):  # as deep as they are
        body = rf"\{{(?:[^{{}}]|{body})*\}}"
    text = re.sub(rf"\bstatic inline [^{{]*{body}", "", text)
    statements = re.findall(r"[^;{]+(?:\{[^}]*\}[^;]*)?;", text)
    return "".join(" ".join(statement.split()).replace("( ", "(") + "\n" for statement in statements)


def library(text, place):
    """One that has these functions, and nothing behind them."""
    program = "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n"
    for statement in text.splitlines():
        is_function = not statement.startswith("typedef") and re.search(r"\bsgk_\w+\(.*\);$", statement)
        program += statement[:-1] + " { __builtin_trap(); }\n" if is_function else statement + "\n"
    subprocess.run(["cc", "-g", "-w", "-shared", "-fPIC", "-nostdlib", "-x", "c", "-", "-o", place], input=program,
                   check=True, text=True)
    return place


def wrapped(text):
    return "".join(textwrap.fill(line, 120, subsequent_indent="    ", break_on_hyphens=False) + "\n"
                   for line in text.splitlines())


def unwrapped(text):
    return re.sub(r"\n {4}", " ", text)


def embedded(text):
    """The growing structs that another struct contains by value: growing would move its later fields."""
    grown = re.findall(r"^typedef struct (\w+) \{ size_t size;", text, flags=re.M)
    return re.findall(rf"^typedef struct (?:\w+) \{{.*[;{{] *(?:const )?({'|'.join(grown)}) \w+", text, flags=re.M)


def changes(old, new):
    """The differences that abidiff reports, without allowed additions. First the renamed fields and values, which only
    affect programs that are compiled again."""
    for text, name in re.findall(r"^(typedef (?:struct|enum) \w+ \{.*?),? \} (\w+);$", old, flags=re.M):
        if not re.search(rf"^{re.escape(text)}(?!\w).*\}} {name};$", new, flags=re.M):
            return f"{name}: a field or a value has gone or has another name"
    for fields, name in re.findall(r"^(typedef struct \w+ \{ size_t size;.*) \} (\w+);$", old, flags=re.M):
        new = re.sub(rf"^{re.escape(fields)}.* \}} {name};$", f"{fields} }} {name};", new, flags=re.M)
    with tempfile.TemporaryDirectory() as place:
        said = subprocess.run(["abidiff", "--no-added-syms", library(old, f"{place}/old.so"),
                               library(new, f"{place}/new.so")], capture_output=True, text=True)
    if said.returncode & 3:
        sys.exit(said.stderr or said.stdout)
    return said.stdout if said.returncode else ""


def main(option=None):
    now = declarations()
    if inside := embedded(now):
        sys.exit(f"may grow, and is part of another struct, which should have a pointer to it: {', '.join(inside)}")
    version, _, recorded = unwrapped(RECORD.read_text(encoding="utf-8")).partition("\n")
    changed = changes(recorded, now)
    if option == "--record":
        is_released = re.search(rf"^## {re.escape(version)} \([0-9-]+\)$",
                                (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.M)
        if changed and is_released and version.split(".")[0] == VERSION.split(".")[0]:
            sys.exit(f"{changed}\nPrograms that are linked with {version} would not run: see docs/releases.md")
        RECORD.write_text(f"{VERSION}\n{wrapped(now)}", encoding="utf-8")
    elif changed:
        sys.exit(f"{changed}\nPrograms that are linked already would not run. Until 1.0 is released: make abi")
    elif option == "--current" and (version, recorded) != (VERSION, now):
        sys.exit("Tests/abi/declarations.txt is not of these headers: make abi")


main(*sys.argv[1:])
