#!/usr/bin/env python3
"""Builds the benchmark programs, runs their cases in turns, and reports.

    benchmarks/bench.py                     all rows; writes docs/benchmarks.md and docs/benchmarks.svg
    benchmarks/bench.py --rows "W1 W2"      rows by name, or groups of them; prints only
    benchmarks/bench.py --smoke             every case once, with a few events: only whether they are right

Every round runs each case of a row once, each in a process of its own, so that what disturbs the machine
disturbs all alike."""

import argparse
import os
import subprocess
import sys
from collections import defaultdict

import chart
import report
from rows import PROGRAMS, ROWS

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
BIN = os.path.join(ROOT, "build", "benchmarks")


def build():
    """Builds what can be built: without a peer, its program is missing."""
    subprocess.run(["make", "--no-print-directory", "-C", ROOT, "lib"], check=True)
    subprocess.run(["make", "--no-print-directory", "-C", HERE, "own"], check=True)
    subprocess.run(["make", "-k", "--no-print-directory", "-C", HERE, "peers"])


def programs():
    """The programs that are there, and what those are that are not."""
    there = [name for name in PROGRAMS if os.access(os.path.join(BIN, name), os.X_OK)]
    missing = [name for name in PROGRAMS if name not in there]
    for name in missing:
        if PROGRAMS[name] is None:
            sys.exit(f"{name} was not built")
    return there, [PROGRAMS[name] for name in missing]


def cases(names):
    """The cases of each row: (program, contender)."""
    found = defaultdict(list)
    for name in names:
        for line in subprocess.check_output([os.path.join(BIN, name)], text=True).splitlines():
            row, contender, _ = line.split("\t")
            found[row].append((name, contender))
    unknown = set(found) - {row.id for row in ROWS}
    if unknown:
        sys.exit(f"not in rows.py: {', '.join(sorted(unknown))}")
    return found


def names(row):
    """What a row is called on the command line: W10.maps.100 also W10.maps, and W10."""
    return {row.id, row.group, row.group.split(".")[0]}


def measure(program, row, contender, count=None):
    command = [os.path.join(BIN, program), row, contender] + ([str(count)] if count else [])
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if result.returncode == 3:
        return None  # not installed
    if result.returncode != 0:
        sys.exit(f"{program}: {row} of {contender}: {result.stderr.strip()} (exit status {result.returncode})")
    return float(result.stdout.rstrip("\n").split("\t")[2])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", default="", help="names of rows or groups")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--smoke", action="store_true")
    parser.add_argument("--no-build", action="store_true")
    options = parser.parse_args()

    if not options.no_build:
        build()
    there, missing = programs()
    all_cases = cases(there)
    wanted = options.rows.split()
    unknown = set(wanted) - {name for row in ROWS for name in names(row)}
    if unknown:
        sys.exit(f"no such row: {', '.join(sorted(unknown))}")
    rows = [row for row in ROWS if not wanted or names(row) & set(wanted)]
    if options.smoke:
        smoke(rows, all_cases)
        return
    results = {}
    for row in rows:
        results[row.id] = in_turns(row, all_cases[row.id], options.rounds, missing)
        if results[row.id]:
            report.show(row, results[row.id])
    for peer in missing:
        print(f"missing: {peer}")
    if not wanted:
        report.write(ROOT, rows, results, missing, options.rounds)
        chart.write(ROOT, rows, results)


def smoke(rows, all_cases):
    ran = 0
    for row in rows:
        for program, contender in all_cases[row.id]:
            ran += measure(program, row.id, contender, 1000) is not None
    print(f"{ran} passed, 0 failed")


def in_turns(row, contenders, rounds, missing):
    """The values of each contender, round by round; those that turn out not to be installed are added to `missing`."""
    values = defaultdict(list)
    for _ in range(rounds):
        for program, contender in contenders:
            value = measure(program, row.id, contender)
            if value is not None:
                values[contender].append(value)
            elif contender not in missing:
                missing.append(contender)
    return {contender: report.Result(found) for contender, found in values.items()}


if __name__ == "__main__":
    main()
