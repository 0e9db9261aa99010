#!/usr/bin/env python3
"""Runs the cases of the benchmark programs in turns, and reports. `make bench` builds the programs first.

    benchmarks/bench.py                     measures all rows in three runs; writes benchmarks/results.tsv, then
                                            docs/benchmarks.md, docs/benchmarks.svg and docs/speed.svg
    benchmarks/bench.py --page              only writes these three files, from results.tsv, rows.py and reasons.tsv
    benchmarks/bench.py --check             fails if they differ from the output, or a missed goal has no reason
    benchmarks/bench.py --rows "W1 W2"      measures rows or groups, and prints the results
    benchmarks/bench.py --rows W1 --record  measures them in three runs and replaces their results
    benchmarks/bench.py --smoke             runs every case once with a few events, to check its result

Every round runs each case of a row once, each in a separate process, so that a disturbance of the machine affects all
cases alike."""

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
BIN = os.path.join(HERE, "build")
RESULTS = os.path.join(HERE, "results.tsv")
REASONS = os.path.join(HERE, "reasons.tsv")


def programs():
    """The programs that were built, and the descriptions of the others."""
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
    """The names of a row on the command line: W10.maps.100, W10.maps and W10."""
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
    parser.add_argument("--rounds", type=int, default=5, help="the number of rounds of each run")
    parser.add_argument("--runs", type=int, default=3, help="the number of runs of all rows")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--page", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--smoke", action="store_true")
    options = parser.parse_args()
    if options.page or options.check:
        return check() if options.check else write_page()

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
    if wanted and not options.record:
        for row in rows:
            show(row, in_turns(row, all_cases[row.id], options.rounds, missing))
        return
    where, absent, values = kept() if wanted else (report.machine(), missing, {})
    values |= {row.id: defaultdict(list) for row in rows}
    for _ in range(options.runs):
        for row in rows:
            found = in_turns(row, all_cases[row.id], options.rounds, missing)
            show(row, found)
            for contender, rounds in found.items():
                values[row.id][contender] += rounds
        record(where, absent, values)
    write_page()


def show(row, values):
    if values:
        report.show(row, results_of(values))


def results_of(values):
    return {contender: report.Result(rounds) for contender, rounds in values.items()}


def smoke(rows, all_cases):
    ran = 0
    for row in rows:
        for program, contender in all_cases[row.id]:
            ran += measure(program, row.id, contender, 1000) is not None
    print(f"{ran} passed, 0 failed")


def in_turns(row, contenders, rounds, missing):
    """The values of each contender, round by round. Adds contenders that are not installed to `missing`."""
    values = defaultdict(list)
    for _ in range(rounds):
        for program, contender in contenders:
            value = measure(program, row.id, contender)
            if value is not None:
                values[contender].append(value)
            elif contender not in missing:
                missing.append(contender)
    return values


# ---- The results and the page ----


def record(where, missing, values):
    with open(RESULTS, "w") as file:
        file.write(f"machine\t{where}\nmissing\t{'; '.join(missing)}\n")
        for row, contenders in values.items():
            for contender, rounds in contenders.items():
                file.write("\t".join([row, contender, *(f"{value:g}" for value in rounds)]) + "\n")


def kept():
    """The machine and the missing peers of the last whole run, and the recorded rounds of all rows."""
    where, missing, results = recorded()
    rounds = {row: {name: result.rounds for name, result in found.items()} for row, found in results.items()}
    return where, missing, rounds


def recorded():
    """The machine, the missing peers, and the results of each row."""
    with open(RESULTS) as file:
        (_, machine), (_, missing), *lines = [line.rstrip("\n").split("\t") for line in file]
    values = {row.id: {} for row in ROWS}
    for row, contender, *rounds in lines:
        values[row][contender] = [float(value) for value in rounds]
    return machine, missing.split("; ") if missing else [], {row: results_of(found) for row, found in values.items()}


def reasons():
    """The missed goals, (row, face), by reason."""
    with open(REASONS) as file:
        _, *lines = [line.rstrip("\n").split("\t") for line in file]
    return {reason: [tuple(goal.split(" ", 1)) for goal in goals.split("; ")] for goals, reason in lines}


def page():
    """The contents of the files, by path."""
    machine, missing, results = recorded()
    files = {"benchmarks.md": report.text(ROWS, results, machine, missing, reasons()),
             "benchmarks.svg": chart.picture(ROWS, results),
             "speed.svg": chart.front(results)}
    return {os.path.join(ROOT, "docs", name): f"<!-- Generated by benchmarks/bench.py. Do not edit. -->\n{text}"
            for name, text in files.items()}


def write_page():
    for path, text in page().items():
        with open(path, "w") as file:
            file.write(text)
    for wrong in unexplained():
        print(wrong)


def unexplained():
    """Missed goals without a reason, and reasons whose goal is reached by more than a tenth."""
    _, _, results = recorded()
    ratios = report.ratios(ROWS, results)
    explained = [key for keys in reasons().values() for key in keys]
    return [f"{row} in {face}: {ratio:.2f} × its goal, and no reason in reasons.tsv"
            for (row, face), ratio in ratios.items() if ratio > 1 and (row, face) not in explained] + [
            f"{row} in {face}: {ratios.get((row, face), 0):.2f} × its goal, or none, and a reason in reasons.tsv"
            for row, face in explained if ratios.get((row, face), 0) <= 0.9]


def check():
    wrong = unexplained()
    for path, text in page().items():
        with open(path) as file:
            if file.read() != text:
                wrong.append(f"{os.path.relpath(path, ROOT)} is not what bench.py --page writes")
    for line in wrong:
        print(line)
    print(f"{len(ROWS)} rows looked at, {len(wrong)} failed")
    sys.exit(len(wrong) > 0)


if __name__ == "__main__":
    main()
