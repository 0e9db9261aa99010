#!/usr/bin/env python3
"""Says in a few lines what failed in a step: `failures.py LOG failed|late`.

Knows what cmocka (and the C++ suite, which prints the same), Swift Testing, pytest, the sanitizers, valgrind and the
compilers print: each test that failed, with what it said, and those that had begun and were not over when the log
ended. Of a log that says nothing of the kind, the last lines."""
import re, sys

SHOWN = 60  # lines of one log
BEGUN = re.compile(r"\[ RUN      \] (.+)|. Test (?!run |case )(.+?) started\.$|(\S+\.py::\S+) *$")
OVER = re.compile(
    r"\[ +(?:OK|FAILED|SKIPPED|ERROR) +\] (?!---)(.+)$|. Test (?!run |case )(.+?)(?: with \d+ test cases?)? "
    r"(?:passed|failed|skipped)\b.*"
    r"|(\S+\.py::\S+) (?:PASSED|FAILED|SKIPPED|ERROR|XFAIL|XPASS)")
FAILED = re.compile(r"\[  (?:FAILED |ERROR  ) \] (?!---)(.+)$")
SUMMED_UP = re.compile(r"\[==========\] .*run\.$")
SAID = re.compile(
    r". Test .+ recorded an issue|FAILED \S+\.py::|ERROR \S+\.py|SUMMARY: |.*: runtime error: |.*: (?:fatal )?error: "
    r"|.*Fatal error: |make.*\*\*\*|==\d+== \S"
)
MORE = re.compile(r". ↳ |↳ ")  # belongs to what has just been said
CHECKER = re.compile(r"SUMMARY: |==\d+== ")


def the(match): return next(group for group in match.groups() if group)


def report(lines, when):
    """The lines to print."""
    said, running, current, block = [], {}, None, None  # of cmocka: the test that runs now, and what it has printed
    goes_on = False
    for line in lines:
        begun, over, failed = BEGUN.match(line), OVER.match(line), FAILED.match(line)
        if over: running.pop(the(over), None)
        if begun: running[the(begun)] = True
        if begun and begun[1]: current, block = begun[1], []
        elif failed and failed[1] == current:
            said += [current, *(f"    {text}" for text in block[-12:])]
            current = None
        elif over and over[1]: current = None
        elif SUMMED_UP.match(line): current = None
        elif SAID.match(line) if current is None else CHECKER.match(line):
            if current: line += f"   (during {current})"
            if line not in said: said.append(line)
            goes_on = True
            continue
        elif goes_on and MORE.match(line):
            said.append(line)
            continue
        elif current and line.strip(): block.append(line)
        goes_on = False
    if len(said) > SHOWN: said = [*said[:SHOWN], f"… and {len(said) - SHOWN} lines more"]
    said += [f"was running {when}: {test}" for test in list(running)[:SHOWN]]
    return said or [f"the last lines {when}:", *lines[-20:]]


def main():
    with open(sys.argv[1], encoding="utf-8", errors="replace") as file:
        lines = [line.rstrip() for line in file]
    for line in report(lines, "when the time was up" if sys.argv[2] == "late" else "at the end"):
        print("         |", line[:400])


if __name__ == "__main__":
    main()
