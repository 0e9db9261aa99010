#!/usr/bin/env python3
"""Counts what an event, or a subscription, costs in instructions and in allocations, and compares with benchmarks/gates.tsv.

    benchmarks/gates.py               compares: instructions may grow by 3 %, allocations not at all
    benchmarks/gates.py --record      writes what it counts into gates.tsv

Both repeat exactly, whatever else the machine is doing. A case is run with two lengths; the difference of the totals, by the difference of the
lengths, is the cost of one: what starting the program costs cancels. An improvement of more than 10 % asks to be recorded, so that it stays."""

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from bench import BIN, HERE, ROOT

FILE = os.path.join(HERE, "gates.tsv")
HEADER = "program\trow\tcontender\tmeasure\tfrom\tto\tper unit\n"


def instructions(command):
    tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    return total(tool + command, dict(os.environ), r"Collected : (\d+)")


def allocations(command):
    return total(command, dict(os.environ, LD_PRELOAD=os.path.join(BIN, "allocations.so")), r"allocations: (\d+)")


def total(command, environment, pattern):
    result = subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    found = re.search(pattern, result.stderr)
    if result.returncode != 0 or not found:
        sys.exit(f"{' '.join(command)}: exit status {result.returncode}\n{result.stderr}")
    return int(found[1])


MEASURES = {"instructions": instructions, "allocations": allocations}


def per_unit(gate):
    program, row, contender, measure, short, long, _ = gate
    counts = [MEASURES[measure]([os.path.join(BIN, program), row, contender, length]) for length in (short, long)]
    return (counts[1] - counts[0]) / (int(long) - int(short))


def verdict(measure, recorded, found):
    """What is wrong, if anything."""
    if measure == "allocations":
        return "" if abs(found - recorded) < 0.005 else "MORE" if found > recorded else "FEWER: record it"
    if found > recorded * 1.03:
        return "MORE"
    return "FEWER: record it" if found < recorded * 0.9 else ""


def main():
    with open(FILE) as file:
        gates = [line.rstrip("\n").split("\t") for line in file][1:]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(per_unit, gates))
    if "--record" in sys.argv[1:]:
        with open(FILE, "w") as file:
            file.write(HEADER)
            for gate, count in zip(gates, found):
                file.write("\t".join(gate[:6] + [f"{count:.2f}"]) + "\n")
        return
    failed = 0
    for (_, row, contender, measure, *_, recorded), count in zip(gates, found):
        wrong = verdict(measure, float(recorded), count)
        failed += wrong != ""
        print(f"{row:10} {contender:20} {measure:13} {count:9.2f}   recorded {float(recorded):9.2f}   {wrong}")
    if failed:
        print(f"When that is meant: {os.path.relpath(__file__, ROOT)} --record, and commit gates.tsv with what made the difference.")
    print(f"{len(gates) - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
