#!/usr/bin/env python3
"""Explores the library's code in weak memory (Tests/weak), and tries its atomic operations with weaker orders.

    weak.py EXPLORER [PROCESSES [SCENARIO]]

A weaker order must make a scenario fail, or has its reason in Tests/weak/kept.tsv."""

import os
import re
import subprocess
import sys

from atomics import operations
from sources import ROOT, read_table

COMPILER = subprocess.run("readlink -f $(command -v swiftc)", shell=True, capture_output=True, text=True, check=True)
LLVM = os.path.dirname(COMPILER.stdout) + "/llvm-"
KEPT = ROOT / "Tests/weak/kept.tsv"


def calls(program):
    """The addresses behind the calls of atomic operations, and which operations these are."""
    code = subprocess.run([LLVM + "objdump", "-d", "--no-show-raw-insn", program],
                          capture_output=True, text=True, check=True)
    called, found = None, {}
    for line in code.stdout.splitlines():
        if called and (address := re.match(r" *([0-9a-f]+):", line)):
            found[int(address[1], 16)] = called[1]
        called = re.search(r"\b(?:callq?|bl)\b.*<__tsan_atomic\d+_(\w+)>", line)
    return found


def places(program, found):
    """The source line of each call, in the library; None for calls that count references."""
    asked = "".join(f"0x{address - 1:x}\n" for address in found)
    told = subprocess.run([LLVM + "symbolizer", "--obj=" + program, "--no-demangle"],
                          input=asked, capture_output=True, text=True, check=True).stdout
    result = {}
    for (address, operation), frames in zip(found.items(), told.strip().split("\n\n")):
        function, place = frames.split("\n")[:2]
        file = re.match(rf"(?:{re.escape(str(ROOT))}/)?Sources/(.*?):(\d+):\d+$", place)
        is_counting = "swift_re" in function or not file or file[2] == "0"
        result[address] = None if is_counting else (file[1], int(file[2]), operation)
    return result


def code_of(file, line):
    return (ROOT / "Sources" / file).read_text(encoding="utf-8").splitlines()[line - 1].strip()


program, arguments = sys.argv[1], sys.argv[2:]
at = places(program, calls(program))
sites = sorted({site for site in at.values() if site})
number = {site: index + 2 for index, site in enumerate(sites)}
core = {}
for found in operations():
    core.setdefault((found.file.removeprefix("Sources/"), found.line), []).append(found.order)
with open(program + ".sites", "w", encoding="utf-8") as file:
    for address, site in at.items():
        names_failure = any("/" in order for order in core.get(site[:2], ())) if site else False
        quiet = 1 if site is None else 2 if site[0].endswith("runtime.c") else 0
        file.write(f"{address:x} {number.get(site, 1)} {quiet} {int(names_failure)}\n")

sys.stdout.reconfigure(line_buffering=True)
run = subprocess.Popen([program, program + ".sites", *arguments], stdout=subprocess.PIPE, text=True)
explored, survivors, tried, executions = set(), {}, 0, 0
for line in run.stdout:
    words = line.rstrip("\n").split("\t")
    site = sites[int(words[1]) - 2] if words[0] in ("used", "survives", "fails") else None
    if words[0] == "explored":
        print(f"{words[1]}: {int(words[3]):,} executions")
        executions += int(words[3])
    elif words[0] == "used":
        explored.add(site[:2])
    elif site:
        tried += 1
        if words[0] == "survives":
            order = ("failure " if words[2] == "1" else "") + words[3]
            survivors.setdefault((site[0], code_of(*site[:2])), set()).add(order)
    else:  # a fault, and the steps that have led to it
        address = re.search(r"@([0-9a-f]+)$", line.strip())
        site = at.get(int(address[1], 16)) if address else None
        print(line.rstrip() + (f" {os.path.basename(site[0])}:{site[1]} {code_of(*site[:2])}" if site else ""))
failed = run.wait() != 0
if not failed and tried:
    for (file, line), orders in core.items():
        if (file, line) not in explored and set("/".join(orders).split("/")) != {"relaxed"}:
            survivors.setdefault((file, code_of(file, line)), set()).add("unexplored")
    kept = {(row["file"], row["code"]): set(row["orders"].split(", ")) for row in read_table(KEPT)}
    for key in sorted(survivors.keys() | kept.keys()):
        more, less = survivors.get(key, set()) - kept.get(key, set()), kept.get(key, set()) - survivors.get(key, set())
        if more:
            print(f"{key[0]}\t{key[1]}\t{', '.join(sorted(more))}\tpasses so: kept.tsv has no reason why it stays")
        if less:
            print(f"{key[0]}\t{key[1]}\t{', '.join(sorted(less))}\tfails so: the line in kept.tsv is not needed")
        failed |= bool(more or less)
    print(f"{tried} weaker orders tried, of {len(explored)} atomic operations;",
          f"{sum(map(len, survivors.values()))} change nothing (kept.tsv)")
print(f"operations: {executions}")
sys.exit(failed)
