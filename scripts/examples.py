#!/usr/bin/env python3
"""The examples of the reference, in examples/c/reference: a file for each header.

An example is a function without arguments, whose comment begins with the names of the functions that it shows (`*`
stands for a part of them), and goes on with what there is to say. The comment below it is what it prints. As a program
of its own it is that function as `main`, after what it needs of the rest of its file, and of print.h.

    examples.py BUILD COMPILER FLAGS…    compiles and runs all, and compares what they print"""

import difflib
import functools
import os
import pathlib
import re
import subprocess
import sys
from typing import NamedTuple

from sources import ROOT

FOLDER = ROOT / "examples/c/reference"
WARNINGS = ["-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
PIECE = re.compile(
    r"(?:^(?P<comment>/\*(?:(?!\*/).)*\*/)\n)?"
    r"^(?P<code>(?:static|struct|enum|typedef) (?:[^\n{]*;|[^\n]*\{[^\n]*\}[^\n]*|[^{;]*?\{\n.*?^\}[^\n]*))\n"
    r"(?:^/\* (?P<prints>(?:(?!\*/).)*)\*/\n)?", flags=re.M | re.S)


class Example(NamedTuple):
    """What is to be said of it, the program, what that prints, and where it is from."""

    names: list[str]
    says: str
    program: str
    prints: str
    where: str


class Piece(NamedTuple):
    name: str
    comment: str
    code: str
    prints: str


def text_of(comment):
    return "\n".join(re.sub(r"^ ?\* ?", "", line) for line in comment.rstrip().split("\n")).strip()


def pieces(path):
    """The functions and types of a file, in their order."""
    found = []
    for match in PIECE.finditer(path.read_text(encoding="utf-8")):
        code = match["code"]
        name = re.match(r"typedef .*?\(\*(\w+)\)|.*?(\w+)\(|(?:struct|enum) (\w+)", code)
        comment = (match["comment"] or "") + "\n"
        found.append(Piece(next(filter(None, name.groups())), comment.lstrip(), code, text_of(match["prints"] or "")))
    return found


def program(path, example, others):
    """The text of an example as a program of its own."""
    needed, words = [], set(re.findall(r"\w+", example.code))
    for piece in reversed(others):
        if piece.name in words:
            needed.insert(0, piece)
            words |= set(re.findall(r"\w+", piece.code))
    main = re.sub(rf"^static void {example.name}\(void\)", "int main(void)", example.code)
    before = [piece.comment + re.sub(r"^static inline", "static", piece.code) for piece in needed]
    code = "\n\n".join([*before, main])
    headers = re.findall(r"^#include <.*>", (path.parent / "print.h").read_text() + path.read_text(), flags=re.M)
    used = [line for line in dict.fromkeys(headers) if is_used(line, code)]
    return "\n".join(sorted(used)) + "\n\n" + code + "\n"


# By what it is seen that a program uses a header; what is not here it always does.
WORDS = {
    "signalkit/testing.h": r"\bsgk_marble_",
    "fcntl.h": r"\bO_[A-Z]+",
    "math.h": r"\b(INFINITY|isinf)\b",
    "poll.h": r"\bpoll\(",
    "signal.h": r"\b(sig[a-z]+\(|SIG[A-Z]+)",
    "stdatomic.h": r"\batomic_",
    "stdio.h": r"\b(f?printf|f?puts|snprintf)\(",
    "stdlib.h": r"\b(calloc|exit|free|llabs|mkdtemp|qsort|strtol)\b",
    "string.h": r"\b(memcmp|strlen|strstr)\(",
    "unistd.h": r"\b(_exit|close|fork|pipe|unlink|write)\(",
}


def is_used(line, code):
    return bool(re.search(WORDS.get(line[len("#include <"):-1], ""), code))


@functools.cache
def in_file(path):
    others, found = pieces(path.parent / "print.h"), []
    for piece in pieces(path):
        comment = text_of(re.sub(r"^/\*|\*/$", "", piece.comment.strip()).strip())
        names = re.match(r"(?:sgk_[\w*]+[ ,]*\n?)+", comment)
        if names:
            where = f"{path.relative_to(ROOT)}: {piece.name}"
            found.append(Example(re.findall(r"[\w*]+", names[0]), comment[names.end():].strip(),
                                 program(path, piece, others), piece.prints, where))
        else:
            others.append(piece)
    return found


def files():
    return sorted(FOLDER.glob("*.c"))


def by_name():
    """Each function's example: the first that names it."""
    found = {}
    for path in files():
        for example in in_file(path):
            for name in example.names:
                found.setdefault(name, example)
    return found


def main():
    build, compiler, *flags = sys.argv[1:]
    build = pathlib.Path(build)
    build.mkdir(parents=True, exist_ok=True)
    wrong, count, alone = [], 0, []
    for path in files():
        shown, binary = in_file(path), build / path.stem
        count += len(shown)
        for example in shown:
            source = build / f"{example.names[0].replace('*', 'X')}.c"
            source.write_text(example.program)
            alone.append(source)
            for name in example.names:
                if "*" not in name and not re.search(rf"\b{name}\b", example.program):
                    wrong.append(f"{example.where} does not use {name}")
        subprocess.run([compiler, *WARNINGS, path, "-o", binary, *flags, "-lpthread"], check=True)
        done = subprocess.run(["timeout", "60", binary], env=dict(os.environ, SIGNALKIT_DEBUG="1"), capture_output=True,
                              text=True)
        expected = "".join(example.prints + "\n" for example in shown if example.prints)
        if done.returncode or done.stderr or done.stdout != expected:
            texts = expected.splitlines(), done.stdout.splitlines()
            differs = difflib.unified_diff(*texts, "said", "printed", lineterm="")
            wrong.append("\n".join([f"{path.name}: {done.returncode}, {done.stderr}", *differs]))
    # Each stands by itself, too.
    include = [flag for flag in flags if flag.startswith("-I")]
    if subprocess.run([compiler, *WARNINGS, "-fsyntax-only", *alone, *include]).returncode:
        wrong.append("an example lacks something that stands in its file, or in print.h")
    for line in wrong:
        print(line)
    print(count, "examples")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
