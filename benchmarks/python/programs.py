"""A complete program, compared with tools of the system: `programs.py LINES …`, where LINES is the path of the example
`lines`. The count is the number of lines."""

import re
import shutil
import subprocess
import sys
import tempfile

from harness import check, run, timed

LINES = sys.argv.pop(1)
OURS = [LINES, "--every", "0"]
COUNT = 2_000_000
LEVELS = ("INFO", "INFO", "INFO", "WARN", "ERROR")


def log(count):
    """A log of `count` lines. One of five is an error, and one of fifty is from service7."""
    lines = [
        f"2026-11-{i % 28 + 1:02} 12:{i // 60 % 60:02}:{i % 60:02} host{i % 7} {LEVELS[i % 5]} service{i % 50} "
        f"request {i} took {i * 7919 % 900} ms path=/api/v1/items/{i * 31 % 100_000:05}\n"
        for i in range(10_000)
    ]
    return "".join(lines) * (count // len(lines)) + "".join(lines[: count % len(lines)])


def over_a_log(command, answer, part):
    """A case: `answer` finds a number in the output, which must be one `part`-th of the lines."""

    def case(count):
        if not shutil.which(command[0]):
            sys.exit(3)
        with tempfile.NamedTemporaryFile("w") as file:
            file.write(log(count))
            file.flush()
            printed = ""

            def work():
                nonlocal printed
                printed = subprocess.check_output([*command, file.name], text=True)

            work()  # from here on the file is in memory
            measure = timed(count, work)
        found = re.search(answer, printed, re.MULTILINE)
        check(found and int(found[1]), count // part, command[0])
        return measure

    return case


COLUMN = ["mawk", "{ seen[$5]++ } END { for (value in seen) print seen[value], value }"]
CASES = [
    ("W20.count", "SignalKit (C)", [*OURS, "--top", "0"], r"^lines +(\d+)", 1),
    ("W20.count", "grep -c", ["grep", "-c", ""], r"(\d+)", 1),
    ("W20.match", "SignalKit (C)", [*OURS, "--top", "0", "--match", "ERROR"], r"^matching +(\d+)", 5),
    ("W20.match", "grep -c", ["grep", "-cF", "ERROR"], r"(\d+)", 5),
    ("W20.column", "SignalKit (C)", [*OURS, "--top", "50", "--field", "5"], r"(\d+) .*% +service7$", 50),
    ("W20.column", "mawk", COLUMN, r"(\d+) service7$", 50),
]
run([(row, name, COUNT, over_a_log(command, answer, part)) for row, name, command, answer, part in CASES])
