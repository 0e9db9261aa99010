#!/usr/bin/env python3
"""Counts the instructions, allocations and bytes of an event or a subscription, and compares with
benchmarks/gates.tsv.

    benchmarks/gates.py               compares: each count may grow by the tolerance in gates.tsv
    benchmarks/gates.py --record      writes the counts into gates.tsv

Each case runs with two lengths. The difference of the totals, divided by the difference of the lengths, is the cost of
one unit without the start of the program. Counts depend neither on the load of the machine nor on its processor: the C
library uses the functions that every processor can run. Chance adds to cases with several threads, so a count that is
too high is measured twice more, and the lowest counts. An improvement of more than 10 % must be recorded, so that it is
not lost."""

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from bench import BIN, HERE, ROOT

FILE = os.path.join(HERE, "gates.tsv")

# Without these features of a processor, memcpy and its like execute the same instructions on each machine.
FEATURES = "AVX2 AVX2_Usable AVX_Fast_Unaligned_Load AVX_Fast_Unaligned_Load_Usable ERMS SSSE3 SSE4_1 SSE4_2"
TUNABLES = "glibc.cpu.hwcaps=" + ",".join("-" + feature for feature in FEATURES.split())


def instructions(command):
    tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    return total(tool + command, dict(os.environ, GLIBC_TUNABLES=TUNABLES), r"Collected : (\d+)")


def allocations(command):
    return total(command, dict(os.environ, LD_PRELOAD=os.path.join(BIN, "allocations.so")), r"allocations: (\d+)")


def total(command, environment, pattern):
    result = subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    found = re.search(pattern, result.stderr)
    if result.returncode != 0 or not found:
        sys.exit(f"{' '.join(command)}: exit status {result.returncode}\n{result.stderr}")
    return int(found[1])


def size(command):
    """The bytes of all live objects, from the size of one that the program prints."""
    *_, value = subprocess.check_output(command, text=True).rstrip("\n").split("\t")
    return float(value) * int(command[-1])


MEASURES = {"instructions": instructions, "allocations": allocations, "bytes": size}


def per_unit(gate):
    program, row, contender, measure, short, long, *_ = gate
    counts = [MEASURES[measure]([os.path.join(BIN, program), row, contender, length]) for length in (short, long)]
    return (counts[1] - counts[0]) / (int(long) - int(short))


def verdict(recorded, tolerance, found):
    """The fault, or nothing. (The counts in the file are rounded.)"""
    if found > recorded * (1 + tolerance) + 0.01:
        return "MORE"
    return "FEWER: record it" if found < recorded * (0.9 - tolerance) - 0.01 else ""


def judged(gate, count):
    """The lowest of up to three counts, and its fault."""
    *_, tolerance, recorded = gate
    limits = float(recorded), float(tolerance.rstrip(" %")) / 100
    for _ in range(2):
        if verdict(*limits, count) == "MORE":
            count = min(count, per_unit(gate))
    return count, verdict(*limits, count)


def main():
    with open(FILE) as file:
        header, *gates = [line.rstrip("\n").split("\t") for line in file]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        counts = list(pool.map(per_unit, gates))
    if "--record" in sys.argv[1:]:
        with open(FILE, "w") as file:
            for line in [header] + [gate[:-1] + [f"{count:.2f}"] for gate, count in zip(gates, counts)]:
                file.write("\t".join(line) + "\n")
        return
    failed = 0
    for gate, count in zip(gates, counts):
        _, row, contender, measure, *_, recorded = gate
        count, wrong = judged(gate, count)
        failed += wrong != ""
        print(f"{row:16} {contender:18} {measure:13} {count:9.2f}   recorded {float(recorded):9.2f}   {wrong}")
    if failed:
        print(f"When that is meant: {os.path.relpath(__file__, ROOT)} --record, and commit gates.tsv"
              " with what made the difference.")
    print(f"{len(gates) - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
