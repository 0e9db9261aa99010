#!/usr/bin/env python3
"""Writes the tables of docs/reliability.md.

  reliability.py [REPORT]   writes the page: the results of CTest (build/tests/junit.xml) for the promises of
                            docs/reliability.tsv, docs/faults.tsv, the fuzzers' campaigns, the soak, the mutations
  --soak LOG                copies the results in a log of the soak to docs/soak.tsv, in place of those of the same case
  --campaign LOG            adds a campaign without a failure to docs/campaigns.tsv
                            (both write the page, and keep its results of the tests)
  --check                   fails if the page differs from the output, or names a step or test that does not exist
"""

import re
import sys
import xml.etree.ElementTree as xml

from sources import ROOT, read_table

PAGE = ROOT / "docs/reliability.md"
CAMPAIGNS = ROOT / "docs/campaigns.tsv"
SOAK = ROOT / "docs/soak.tsv"
MUTANTS = ROOT / "docs/mutants.tsv"
COUNTS = ("tried", "killed", "reasons", "survive")
STEPS = set(re.findall(r"^(\w+)\(\)", "".join(
    path.read_text(encoding="utf-8") for path in (ROOT / "scripts/steps").glob("*.sh")), flags=re.M))
RUN = set(re.findall(r"\w+", " ".join(part for path in (ROOT / "scripts/steps").glob("*.sh") for part in re.findall(
    r"^(?:core|steps|long)\+=\(([^)]*)\)", path.read_text(encoding="utf-8"), flags=re.M))))
SUITES = set(re.findall(r"^sgk_(?:suite|discovered)\((\w+)", "".join(
    path.read_text(encoding="utf-8") for path in (ROOT / "Tests/ctest").glob("*.cmake")), flags=re.M))
COUNTED = {  # the last lines of cmocka, Swift Testing, pytest and the fuzzers
    "tests": re.compile(
        r"^(?:\[  PASSED  \] (\d+) test|.*Test run with (\d+) tests?\b.* passed|=* ?(\d+) passed\b.* in )",
        flags=re.M),
    "operations": re.compile(r"^operations: (\d+)$", flags=re.M),
}


def read_report(path):
    """The result of each step and suite that ran, with the numbers of its tests and operations."""
    steps = {}
    for case in xml.parse(path).iter("testcase"):
        name = case.get("name").removeprefix("step.").split(".")[0]
        if case.get("status") not in ("run", "fail"):
            continue
        step = steps.setdefault(name, {"failed": False, "tests": 0, "operations": 0})
        step["failed"] |= case.get("status") == "fail"
        said = case.findtext("system-out") or ""
        for kind, pattern in COUNTED.items():
            step[kind] += sum(int(number) for found in pattern.finditer(said) for number in found.groups() if number)
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


def tables(report, before):
    """The rows of each table. Without a report, the results of the tests come from the page."""
    promises = []
    for row in read_table(ROOT / "docs/reliability.tsv"):
        names = row["steps"].split()
        found = before.get(row["promise"]) if report is None else None
        promises.append([row["promise"], f"{row['how']}: {named(names)}", found or figures(names, report or {})])
    faults = [[row["fault"], row["what happens"], named(row["tests"].split())]
              for row in read_table(ROOT / "docs/faults.tsv")]
    campaigns = [[f"`Tests/fuzz/{row['fuzzer']}.c`", row["library"], f"{int(row['seconds']):,}",
                  f"{int(row['operations']):,}", row["found"]] for row in read_table(CAMPAIGNS)]
    campaigns.append(["all", "", *(f"{sum(int(row[column]) for row in read_table(CAMPAIGNS)):,}"
                                   for column in ("seconds", "operations")), ""])
    soak = [[f"{int(row['case'].split()[1]):,} {row['what']}", row["found"], f"`build/soak/soak {row['case']}`"]
            for row in read_table(SOAK)]
    mutants = read_table(MUTANTS)
    counted = [[row["part"], *(f"{int(row[name]):,}" for name in COUNTS)] for row in mutants]
    counted.append(["all", *(f"{sum(int(row[name]) for row in mutants):,}" for name in COUNTS)])
    return {
        "promises": table(["Promise", "Tests", "Last run"], promises),
        "faults": table(["Fault", "Result", "Tests"], faults),
        "campaigns": table(["Fuzzer", "Library", "Seconds", "Operations", "Found"], campaigns),
        "soak": table(["Case", "Result", "Command"], soak),
        "mutants": table(["Part", "Changes", "A test fails", "Survive with a reason", "Survive without"], counted),
    }


def page_with(report):
    text = PAGE.read_text(encoding="utf-8")
    before = dict(re.findall(r"^\| (.*?) \| .* \| (\d+ of \d+ steps[^|]*) \|$", text, flags=re.M))
    for name, rows in tables(report, before).items():
        text, count = re.subn(rf"(<!-- {name} -->\n).*?(<!-- end -->)",
                              lambda match: f"{match[1]}{rows}\n{match[2]}", text, flags=re.S)
        if count != 1:
            sys.exit(f"{PAGE}: must have one place for the table of {name}")
    return text


def missing():
    """The named steps and tests that do not exist. A test is named as STEP:TEST."""
    tests = "\n".join(path.read_text(encoding="utf-8") for folder in ("Tests", "bindings") for path in
                      (ROOT / folder).rglob("*") if path.suffix in (".c", ".cpp", ".swift", ".py") and path.is_file())
    for path, column in (("docs/reliability.tsv", "steps"), ("docs/faults.tsv", "tests")):
        for row in read_table(ROOT / path):
            for name in row[column].split():
                step, _, test = name.partition(":")
                if step not in STEPS & RUN | SUITES:
                    yield f"{path}: no step {step}"
                if test and not re.search(rf"\b{test}\b", tests):
                    yield f"{path}: no test {test}"


def take_campaign(log):
    rows = {(row["fuzzer"], row["library"]): row for row in read_table(CAMPAIGNS)}
    text = log.read_text(encoding="utf-8", errors="replace")
    _, *parts = re.split(r"^(\w+), (\w+), (\d+) seconds$", text, flags=re.M)
    for name, kind, seconds, said in zip(*[iter(parts)] * 4):
        operations = sum(map(int, re.findall(r"^operations: (\d+)$", said, flags=re.M)))
        print(f"{name}, {kind}: {operations:,} operations in {seconds} s")
        row = rows.setdefault((name, kind), {"fuzzer": name, "library": kind, "seconds": 0, "operations": 0,
                                             "found": "nothing"})  # unless the table is edited by hand
        row["seconds"] = str(int(row["seconds"]) + int(seconds))
        row["operations"] = str(int(row["operations"]) + operations)
    lines = ["\t".join(row.values()) + "\n" for _, row in sorted(rows.items())]
    CAMPAIGNS.write_text("fuzzer\tlibrary\tseconds\toperations\tfound\n" + "".join(lines), encoding="utf-8")


def take_soak(log):
    told = re.findall(r"^soak: ((\w+) \d+)\t(.*)\t(.*)$", log.read_text(encoding="utf-8"), flags=re.M)
    cases = {name for _, name, _, _ in told}
    rows = [(row["case"], row["what"], row["found"]) for row in read_table(SOAK) if row["case"].split()[0] not in cases]
    rows += [(case, what, found) for case, _, what, found in told]
    SOAK.write_text("case\twhat\tfound\n" + "".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")


def main(arguments):
    report = None
    if arguments[:1] == ["--campaign"]:
        take_campaign(ROOT / arguments[1])
    elif arguments[:1] == ["--soak"]:
        take_soak(ROOT / arguments[1])
    elif arguments != ["--check"]:
        report = read_report(ROOT / (arguments or ["build/tests/junit.xml"])[0])
    complaints = list(missing())
    if arguments == ["--check"]:
        if PAGE.read_text(encoding="utf-8") != page_with(None):
            complaints.append(f"stale: {PAGE}, see scripts/reliability.py")
    elif not complaints:
        PAGE.write_text(page_with(report), encoding="utf-8")
    if complaints:
        sys.exit("\n".join(complaints))


main(sys.argv[1:])
