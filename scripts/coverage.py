#!/usr/bin/env python3
"""Which test covers which row of the checklist and which defect of the originals.

Reads docs/checklist.tsv, docs/names.tsv and docs/defects.tsv, and the `Covers: …` comments under Tests/. Writes
docs/coverage.md, docs/defects.md and the table of differences in docs/contract.md. With --check it writes nothing and
fails if

- a row has no answer in C, neither a name nor a reason (scripts/names.py checks those against the sources and the
  headers),
- a row has neither a test nor a row that answers for it (`via`) nor a reason to have none,
- a defect has neither a test nor a reason,
- a comment names what does not exist,
- a written file is not what it would be.
"""

import argparse
import re
import sys

import names
from sources import ROOT, declarations, read_table

SOURCES = {".swift", ".c", ".h", ".cpp", ".hpp", ".py", ".sh"}
COVERS = re.compile(r"(?://|#|\*)\s*Covers:\s*(.*?)\s*(?:\*/)?\s*$")
# The test scenarios of the originals' own suites (C-1 …) may be named too; they are not counted.
SCENARIOS = 187
RANGE = re.compile(r"([A-Z]+(?:19)?)-(\d+)(?:\.\.\.|…)(?:\1-)?(\d+)")
SCOPE = re.compile(
    r"^(?:@\S+\s+)*(?:(?:public|private|fileprivate|final)\s+)*(?:struct|class|enum|extension|actor)\s+(\w+)")
FUNCTION = re.compile(r"\bfunc\s+`?(\w+)`?")
MEMBER = re.compile(r"\b(?:func|let|var)\s+`?(\w+)`?")
C_FUNCTION = re.compile(r"^(?:static\s+)?[\w\s\*]*?\b(\w+)\s*\([^;]*$")
GROUPS = [
    ("SW", "SwiftSignalKit"),
    ("SW19", "SwiftSignalKit of 2019"),
    ("OC", "SSignalKit"),
    ("OC19", "SSignalKit of 2019"),
    ("MT", "MTSignal"),
    ("OB", "Observable"),
]
BEGIN, END = "<!-- differences: written by scripts/coverage.py -->", "<!-- end of differences -->"


def is_passed_over(line):
    """Comments, blank lines and attributes between a comment and what it belongs to."""
    text = line.strip()
    return not text or text.startswith(
        ("//", "/*", "*", "#")) or (text.startswith("@") and not MEMBER.search(text) and not SCOPE.match(text))


def target_below(lines, index, is_swift):
    """What a comment stands above: the test (or table of tests) that begins there, or nothing when it stands inside of
    one."""
    depth = 0
    for line in lines[index + 1 :]:
        if depth == 0 and is_passed_over(line):
            depth += line.count("(") + line.count("[") - line.count(")") - line.count("]") if line.strip().startswith(
                "@") else 0
            continue
        if depth > 0:
            # The arguments of an attribute, over several lines; what it belongs to may stand behind the last bracket.
            depth += line.count("(") + line.count("[") - line.count(")") - line.count("]")
            if depth > 0 or not MEMBER.search(line):
                continue
        if not is_swift:
            match = C_FUNCTION.match(line)
            return (None, match.group(1)) if match else None
        scope = SCOPE.match(line)
        if scope:
            return (scope.group(1), None)
        indent = len(line) - len(line.lstrip())
        match = FUNCTION.search(line) or (MEMBER.search(line) if indent <= 4 else None)
        return (None, match.group(1)) if match else None
    return None


def identifiers(text):
    """What a comment names: `SW-1, B-2`, and ranges as `SW-176...SW-200`."""
    for part in filter(None, re.split(r"[,\s]+", text)):
        span = RANGE.fullmatch(part)
        if span:
            yield from (f"{span.group(1)}-{number}" for number in range(int(span.group(2)), int(span.group(3)) + 1))
        else:
            yield part


def scan(path):
    """Yields (identifier, test, line number) for each identifier in a comment."""
    lines = path.read_text(encoding="utf-8").splitlines()
    is_swift = path.suffix == ".swift"
    scope = path.stem
    current = None
    for index, line in enumerate(lines):
        found = SCOPE.match(line) if is_swift else None
        if found:
            scope, current = found.group(1), None
        function = FUNCTION.search(line) if is_swift else C_FUNCTION.match(line)
        if function and len(line) - len(line.lstrip()) <= 4 and not line.lstrip().startswith(("//", "*", "/*")):
            current = function.group(1)
        comment = COVERS.search(line)
        if not comment:
            continue
        below = target_below(lines, index, is_swift)
        if below and below[0]:
            test = below[0]
        else:
            name = below[1] if below else current
            test = f"{scope}.{name}" if name else scope
        for identifier in identifiers(comment.group(1)):
            yield identifier, test, index + 1


def collect():
    """The tests of each identifier, and the places of what is no identifier."""
    tests, places = {}, {}
    for path in sorted((ROOT / "Tests").rglob("*")):
        if path.suffix in SOURCES and path.is_file():
            for identifier, test, line in scan(path):
                found = tests.setdefault(identifier, [])
                if test not in found:
                    found.append(test)
                places.setdefault(identifier, f"{path.relative_to(ROOT)}:{line}")
    return tests, places


def own_and_answering(row, rows, tests, seen=()):
    """The tests of a row, or else those of the rows that answer for it, all of which must have some."""
    own = tests.get(row["id"], [])
    if own or not row["via"]:
        return own
    found = []
    for identifier in row["via"].split(", "):
        if identifier in seen or identifier not in rows:
            return []
        theirs = own_and_answering(rows[identifier], rows, tests, (*seen, row["id"]))
        if not theirs:
            return []
        found += [test for test in theirs if test not in found]
    return found


def cell(text):
    return text.replace("|", "\\|")


def code(text):
    return f"`{cell(text)}`" if "`" not in text else f"`` {cell(text)} ``"


def listed(tests, limit=4):
    shown = ", ".join(tests[:limit])
    return shown + (f" and {len(tests) - limit} more" if len(tests) > limit else "")


def answer_in_c(row, named, parents):
    """The C names of what answers a row, or why there is none; nothing when nobody knows."""
    found, reasons = names.in_c(row["swift"] or row["symbol"], named, parents)
    return names.code(found) or cell(" ".join(reasons)) or ("–" if row["reason"] else "")


def coverage_page(rows, tests, named, parents):
    by_id = {row["id"]: row for row in rows}
    out = [
        "# Coverage", "",
        "Written by `scripts/coverage.py` from `docs/checklist.tsv`, `docs/names.tsv` and the `Covers:` comments in "
        "the tests: each public symbol of",
        "the originals, what answers it here, in Swift and in C, and the tests that exercise it.", ""
    ]
    for prefix, title in GROUPS:
        group = [row for row in rows if row["id"].rsplit("-", 1)[0] == prefix]
        if not group:
            continue
        answered = any(row["swift"] for row in group)
        done = sum(1 for row in group if own_and_answering(row, by_id, tests))
        excused = sum(1 for row in group if row["reason"] and not own_and_answering(row, by_id, tests))
        out += [
            f"## {title}", "",
            f"{len(group)} rows: {done} with tests, {excused} without meaning here, {len(group) - done - excused} "
            f"open.",
            ""
        ]
        out += ["| | Symbol | Here | C | Tests |", "| --- | --- | --- | --- | --- |"
                ] if answered else ["| | Symbol | C | Tests |", "| --- | --- | --- | --- |"]
        for row in group:
            found = own_and_answering(row, by_id, tests)
            remark = listed(found) if found else cell(row["reason"]) or "**open**"
            here = f" {code(row['swift']) if row['swift'] else '–'} |" if answered else ""
            out.append(
                f"| {row['id']} | {code(row['symbol'])} |{here} {answer_in_c(row, named, parents) or '**open**'} | "
                f"{remark} |"
            )
        out.append("")
    return "\n".join(out)


def defects_page(defects, tests):
    out = [
        "# The defects of the originals", "",
        "Written by `scripts/coverage.py` from `docs/defects.tsv` and the tests. What happens here instead, and what "
        "to do where a program",
        "relied on it, is in the table of differences in [contract.md](contract.md#differences-from-the-originals).",
        "", "| | Before | Disposition | Tests |", "| --- | --- | --- | --- |"
    ]
    for row in defects:
        found = tests.get(row["id"], [])
        remark = listed(found) if found else cell(row["reason"]) or "**open**"
        out.append(
            f"| {row['id']} | {cell(row['before'])} | "
            f"{'kept and documented' if row['disposition'] == 'kept' else 'fixed'} | {remark} |"
        )
    return "\n".join(out) + "\n"


def contract_page(text, defects):
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        sys.exit("docs/contract.md: the marks around the table of differences are missing")
    out = ["", "| | Before | Here | Instead |", "| --- | --- | --- | --- |"]
    for row in defects:
        mark = "" if row["disposition"] == "fixed" else " (kept)"
        out.append(
            f"| {row['id']}{mark} | {cell(row['before'])} | {cell(row['here'])} | "
            f"{'–' if row['instead'] == 'Nothing.' else cell(row['instead'])} |"
        )
    head, rest = text.split(BEGIN)
    return head + BEGIN + "\n".join(out) + "\n\n" + END + rest.split(END)[1]


def faults(rows, defects, tests, places, named, parents):
    by_id = {row["id"]: row for row in rows}
    known = set(by_id) | {row["id"] for row in defects} | {f"C-{number}" for number in range(1, SCENARIOS + 1)}
    for row in rows:
        for identifier in filter(None, row["via"].split(", ")):
            if identifier not in by_id:
                yield f"{row['id']}: answered by {identifier}, which does not exist"
        if not row["reason"] and not own_and_answering(row, by_id, tests):
            yield f"{row['id']}: no test and no reason ({row['symbol']})"
        if not answer_in_c(row, named, parents):
            yield f"{row['id']}: no row of docs/names.tsv answers it in C ({row['symbol']})"
    for row in defects:
        if not row["reason"] and not tests.get(row["id"]):
            yield f"{row['id']}: no test and no reason"
    for identifier, place in sorted(places.items()):
        if identifier not in known:
            yield f"{place}: unknown {identifier}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check",
                        action="store_true",
                        help="write nothing; fail if anything is open, unknown or stale")
    check = parser.parse_args().check

    docs = ROOT / "docs"
    rows, defects = read_table(docs / "checklist.tsv"), read_table(docs / "defects.tsv")
    tests, places = collect()
    found, parents = declarations()
    named = names.read_rows(found)
    wrong = list(faults(rows, defects, tests, places, named, parents))
    contract = docs / "contract.md"
    pages = {
        docs / "coverage.md": coverage_page(rows, tests, named, parents),
        docs / "defects.md": defects_page(defects, tests),
        contract: contract_page(contract.read_text(encoding="utf-8"), defects),
    }
    for path, text in pages.items():
        if not check:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            wrong.append(f"{path.relative_to(ROOT)}: stale; run scripts/coverage.py")
    for fault in wrong:
        print(fault)
    print(f"{len(rows)} rows and {len(defects)} defects, {len(wrong)} faults")
    if check and wrong:
        sys.exit(1)


if __name__ == "__main__":
    main()
