#!/usr/bin/env python3
"""Writes the tables of docs/reliability.md.

  reliability.py [REPORT]   what a run of all tests has reported (build/log/report), for the promises of
                            docs/reliability.tsv; what docs/faults.tsv says; the longest campaigns of the fuzzers; and
                            what became of the changes that tests are to see
  --campaign LOG            takes a campaign into docs/campaigns.tsv, if it is longer than the one before
  --check                   compares: the page is as this writes it, but for the figures of the run, and each step and
                            each test that it names is there
"""

import re
import sys

from sources import ROOT, read_table

PAGE = ROOT / "docs/reliability.md"
CAMPAIGNS = ROOT / "docs/campaigns.tsv"
MUTANTS = ROOT / "docs/mutants.tsv"
COUNTS = ("tried", "killed", "reasons", "survive")
STEPS = set(re.findall(r"^(\w+)\(\)", "".join(
    path.read_text(encoding="utf-8") for path in (ROOT / "scripts/steps").glob("*.sh")), flags=re.M))
RUN = set(re.findall(r"\w+", " ".join(part for path in (ROOT / "scripts/steps").glob("*.sh") for part in re.findall(
    r"^(?:first|steps|long)\+=\(([^)]*)\)", path.read_text(encoding="utf-8"), flags=re.M))))


def read_report(path):
    """Of each step whether it has passed, and how many tests and operations it tells of."""
    steps, last = {}, None
    for line in path.read_text(encoding="utf-8").splitlines():
        if match := re.match(r"  (ok|FAILED) +(\w+) +\d+ s", line):
            last = steps[match[2]] = {"failed": match[1] == "FAILED", "tests": 0, "operations": 0}
        for number, kind in re.findall(r"(\d+) (tests|operations)$", line) if last else ():
            last[kind] += int(number)
    return steps


def figures(names, report):
    ran = [report[name] for name in names if name in report]
    parts = [f"{len(ran)} of {len(names)} steps"]
    for kind in ("tests", "operations"):
        if total := sum(step[kind] for step in ran):
            parts.append(f"{total:,} {kind}")
    return ", ".join(parts + [f"{sum(step['failed'] for step in ran)} failed"])


def table(titles, rows):
    return "\n".join(["| " + " | ".join(titles) + " |", "| " + " | ".join("---" for _ in titles) + " |"]
                     + ["| " + " | ".join(row) + " |" for row in rows])


def named(names):
    return ", ".join(f"`{name}`" for name in names)


def tables(report):
    promises = [[row["promise"], f"{row['how']}: {named(row['steps'].split())}", figures(row["steps"].split(), report)]
                for row in read_table(ROOT / "docs/reliability.tsv")]
    faults = [[row["fault"], row["what happens"], named(row["tests"].split())]
              for row in read_table(ROOT / "docs/faults.tsv")]
    campaigns = [[f"`Tests/fuzz/{row['fuzzer']}.c`", row["sanitizer"], f"{int(row['seconds']):,}",
                  f"{int(row['operations']):,}"] for row in read_table(CAMPAIGNS)]
    mutants = read_table(MUTANTS)
    counted = [[row["part"], *(f"{int(row[name]):,}" for name in COUNTS)] for row in mutants]
    counted.append(["all", *(f"{sum(int(row[name]) for row in mutants):,}" for name in COUNTS)])
    return {
        "promises": table(["What is promised", "How it is tested", "The last run"], promises),
        "faults": table(["What goes wrong", "What happens", "Tested by"], faults),
        "campaigns": table(["Fuzzer", "Sanitizer", "Seconds", "Operations"], campaigns),
        "mutants": table(["Part", "Changes", "A test fails", "None can: a reason", "Survive"], counted),
    }


def page_with(report):
    text = PAGE.read_text(encoding="utf-8")
    for name, rows in tables(report).items():
        text, count = re.subn(rf"(<!-- {name} -->\n).*?(<!-- end -->)",
                              lambda match: f"{match[1]}{rows}\n{match[2]}", text, flags=re.S)
        if count != 1:
            sys.exit(f"{PAGE}: there must be one place for the {name}")
    return text


def missing():
    """What is named, and is not there. A test is named as STEP:TEST."""
    tests = "\n".join(path.read_text(encoding="utf-8") for folder in ("Tests", "bindings") for path in
                      (ROOT / folder).rglob("*") if path.suffix in (".c", ".cpp", ".swift", ".py") and path.is_file())
    for path, column in (("docs/reliability.tsv", "steps"), ("docs/faults.tsv", "tests")):
        for row in read_table(ROOT / path):
            for name in row[column].split():
                step, _, test = name.partition(":")
                if step not in STEPS & RUN:
                    yield f"{path}: no step {step}"
                if test and not re.search(rf"\b{test}\b", tests):
                    yield f"{path}: no test {test}"


def without_figures(text):
    """The columns that a run fills."""
    return re.sub(r"\| \d+ of \d+ steps[^|]*\|$", "| |", text, flags=re.M)


def take_campaign(log):
    rows = {(row["fuzzer"], row["sanitizer"]): row for row in read_table(CAMPAIGNS)}
    text = log.read_text(encoding="utf-8", errors="replace")
    for name, kind, seconds, operations in re.findall(
            r"^(\w+), (\w+), (\d+) seconds$.*?^operations: (\d+)$", text, flags=re.M | re.S):
        print(f"{name}, {kind}: {int(operations):,} operations in {seconds} s")
        before = rows.get((name, kind))
        if not before or int(before["operations"]) < int(operations):
            rows[name, kind] = {"fuzzer": name, "sanitizer": kind, "seconds": seconds, "operations": operations}
    lines = ["\t".join(row.values()) + "\n" for _, row in sorted(rows.items())]
    CAMPAIGNS.write_text("fuzzer\tsanitizer\tseconds\toperations\n" + "".join(lines), encoding="utf-8")


def main(arguments):
    if arguments[:1] == ["--campaign"]:
        return take_campaign(ROOT / arguments[1])
    complaints = list(missing())
    if arguments == ["--check"]:
        if without_figures(PAGE.read_text(encoding="utf-8")) != without_figures(page_with({})):
            complaints.append(f"stale: {PAGE}, see scripts/reliability.py")
    elif not complaints:
        PAGE.write_text(page_with(read_report(ROOT / (arguments or ["build/log/report"])[0])), encoding="utf-8")
    if complaints:
        sys.exit("\n".join(complaints))


main(sys.argv[1:])
