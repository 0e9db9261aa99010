#!/usr/bin/env python3
"""Writes docs/operators.md, a table of the operators in all languages and beside their names elsewhere, and a page for
each family with what the comments in the sources say and the pictures of scripts/pictures.py.

docs/operators.tsv says what an operator is called by others, docs/elsewhere.tsv what becomes here of what only others
have. With --check it writes nothing and fails if

- a row names what is not declared,
- an operator has no row, no comment, or neither a picture nor a reason to have none; or a picture no operator,
- a block of docs/recipes.md does not stand in the test of the recipes, or a recipe has no row in docs/elsewhere.tsv,
- a page is not what it would be."""

import argparse
import re
import sys
from typing import NamedTuple

import names
import pictures
from sources import ROOT, declarations, labels, read_table

ELSEWHERE = ROOT / "docs/elsewhere.tsv"
OTHERS = ["RxSwift", "ReactiveSwift", "Combine", "RxCpp", "ReactivePlusPlus", "rxjs", "Kotlin Flow"]
FAMILIES = {
    "creation": "Where signals come from",
    "mapping": "Each value by itself, or with those before it",
    "taking": "A part of the values",
    "combining": "Several signals at once",
    "inner": "Signals of signals",
    "sequence": "One signal after another",
    "timing": "Time and queues",
    "effects": "Beside the events",
    "sharing": "One run for several listeners, and state",
    "reading": "Values for a thread, or a task, that asks",
}
WITHOUT_PICTURE = {
    "serialized(_:)": "it keeps two threads apart, and a picture has one.",
    "castError(_:)": "it changes a type, and no event.",
    "introduceError(_:)": "it changes a type, and no event.",
    "deliverOnMainQueue(_:)": "the main queue has no time of its own making. See `deliverOn`.",
    "wait(_:queue:)": "it blocks the thread, and passes everything on.",
    "named(_:file:line:)": "it passes everything on; the name is seen in the log.",
    "Signal.get(timeout:)": "it blocks the thread, and returns.",
    "Signal.collect(limit:timeout:)": "it blocks the thread, and returns.",
    "SignalReader": "what a thread asks for comes when it asks.",
    "Signal.values": "what a task asks for comes when it asks.",
}


class Operator(NamedTuple):
    family: str
    swift: str
    c: list[str]
    cpp: str
    python: str
    elsewhere: list[str]
    comment: str

    @property
    def anchor(self):
        return "-".join(re.findall(r"[a-z0-9]+", self.swift.lower()))


def comment_of(name, path):
    """The comment that stands above a declaration, without what it says of parameters."""
    lines = path.read_text(encoding="utf-8").splitlines()
    short = re.escape(names.base(name).split(".")[-1])
    kind = r"\bpublic (?:static |final )?(?:func|convenience init|init|var|class)"
    word = rf"{kind} ?`?{'' if short == 'init' else short}`?"
    for index, line in enumerate(lines):
        if not re.search(word + r"[<(:\s]", line) or not names_match(name, lines[index : index + 8]):
            continue
        first = index
        while first > 0 and lines[first - 1].lstrip().startswith(("///", "@")):
            first -= 1
        text = [line.lstrip()[3:].removeprefix(" ") for line in lines[first:index] if line.lstrip().startswith("///")]
        if text:
            blocks = re.split(r"\n\n|\n(?=- (?:Parameter|Returns|Note))", "\n".join(text))
            return "\n\n".join(block for block in blocks if not re.match(r"- (Parameter|Returns|Note)", block))
    return ""


def names_match(name, lines):
    """Whether the declaration that begins there has the labels of `name`."""
    text = "\n".join(lines)
    start = text.find("(")
    return "(" not in name or labels(text[start:]) == name[name.index("(") :]


def read():
    """The operators of the table, in its order; and what is wrong with it."""
    found, _ = declarations()
    in_c = {row["swift"]: row["c"] for row in names.read_rows(found)}
    cpp = defined("include/signalkit/cpp/*.hpp", r"(?:\b|^class )(\w+)(?:\(| (?:final )?\{)")
    python = defined("bindings/python/src/libsignalkit/*.py", r"^ *(?:async )?(?:def|class) (\w+)")
    rows, wrong = read_table(ROOT / "docs/operators.tsv"), []
    for row in rows:
        for language, known in ("swift", found), ("C++", cpp), ("Python", python):
            if row[language] and row[language] not in known:
                wrong.append(f"docs/operators.tsv: {row['swift']}: there is no {row[language]} in {language}")
    listed = {names.base(row["swift"]).split(".")[-1] for row in rows}
    for name, path in found.items():
        if "SignalKit/Operators/" in str(path) and name[0].islower() and names.base(name) not in listed:
            wrong.append(f"docs/operators.tsv: {name} has no row")
    operators = [
        Operator(
            row["family"],
            row["swift"],
            in_c.get(row["swift"], []),
            row["C++"],
            row["Python"],
            [row[other] for other in OTHERS],
            comment_of(row["swift"], found[row["swift"]]),
        )
        for row in rows
        if row["swift"] in found
    ]
    return operators, wrong


def defined(files, pattern):
    """What the files of a language define."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(ROOT.glob(files)))
    return set(re.findall(pattern, text, flags=re.M))


# ---- Writing ----


def cell(texts):
    return ", ".join(f"`{names.cell(text)}`" for text in texts if text) or "–"


def table(operators):
    out = [
        "<!-- Generated by scripts/operators.py. Do not edit. -->",
        "# Operators",
        "",
        "The marble pictures are drawn from tests (`Tests/SignalKitTests/Pictures`). Other libraries'",
        "names stand for what comes nearest; they may differ in what they do about errors, ends and threads. What",
        "others have besides is [at the end](#elsewhere).",
        "",
        "In a picture the time goes from left to right. Above the box are sources, each of which begins when it is",
        "started; below it is what comes out. A bar is completion, a cross an error, and what happens at the same time",
        "stands one below the other. Several lines below the box are several listeners, dotted until they come, with a",
        "tick where they leave; `called` is what the functions in the box have been called with, or say. On the site",
        "(`make docs`) the marbles above can be moved, and the library answers ([how](../tools/marbles/README.md)).",
    ]
    for family, title in FAMILIES.items():
        rows = [operator for operator in operators if operator.family == family]
        if not rows:
            continue
        out += ["", f"## [{title}](operators/{family}.md)", ""]
        out += ["| " + " | ".join(["Swift", "C", "C++", "Python", *OTHERS]) + " |", "|" + " --- |" * (4 + len(OTHERS))]
        for operator in rows:
            link = f"[`{names.cell(operator.swift)}`](operators/{family}.md#{operator.anchor})"
            others = [names.cell(other) if other != "-" else "–" for other in operator.elsewhere]
            out.append(
                "| "
                + " | ".join([link, cell(operator.c), cell([operator.cpp]), cell([operator.python]), *others])
                + " |"
            )
    out += ["", '<a id="elsewhere"></a>', "", "## What others have", ""]
    out += ["What is above is present, under that name. What else people look for:", ""]
    out += ["| elsewhere | here | |", "| --- | --- | --- |"]
    out += [f"| {row['elsewhere']} | {row['here']} | {row['what']} |" for row in read_table(ELSEWHERE)]
    return "\n".join(out) + "\n"


def page(family, operators, drawn):
    out = [
        "<!-- Generated by scripts/operators.py. Do not edit. -->",
        f"# {FAMILIES[family]}",
        "",
        "See also [the table of all operators](../operators.md).",
    ]
    for operator in operators:
        out += ["", f'<a id="{operator.anchor}"></a>', "", f"## {operator.swift}", ""]
        called = [("C", operator.c), ("C++", [operator.cpp]), ("Python", [operator.python])]
        out += (
            [" · ".join(f"{language}: {cell(words)}" for language, words in called if any(words))]
            if any(words for _, words in called)
            else []
        )
        out += ["", operator.comment]
        for picture in drawn.get(operator.swift, []):
            out += ["", f"![{picture.code}](pictures/{picture.file.name})"]
        if operator.swift in WITHOUT_PICTURE:
            out += ["", f"(No picture: {WITHOUT_PICTURE[operator.swift]})"]
    return "\n".join(out) + "\n"


def faults_of_pictures(operators, drawn):
    known = {operator.swift for operator in operators}
    for name in sorted(set(drawn) - known):
        yield f"Tests/SignalKitTests/Pictures: {name} has no row in docs/operators.tsv"
    for name in sorted(known - set(drawn) - set(WITHOUT_PICTURE)):
        yield f"{name}: no picture in Tests/SignalKitTests/Pictures, and no reason in scripts/operators.py"
    for name in sorted(set(WITHOUT_PICTURE) & set(drawn) | set(WITHOUT_PICTURE) - known):
        yield f"scripts/operators.py: {name} has a picture, or no row: no reason is wanted"


def faults_of_recipes():
    test = ROOT / "Tests/SignalKitTests/Pictures/RecipeTests.swift"
    tested = re.sub(r"^ {8}", "", test.read_text(encoding="utf-8"), flags=re.M)
    text = (ROOT / "docs/recipes.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.*)$", text, flags=re.M)
    recipes = {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}
    linked = set(re.findall(r"\(recipes\.md#([^)]*)\)", ELSEWHERE.read_text(encoding="utf-8")))
    for name in sorted(recipes ^ linked):
        yield f"{name}: in one of docs/recipes.md and docs/elsewhere.tsv only"
    for row in read_table(ELSEWHERE):
        if row["here"] not in ("present", "recipe", "left out") or not row["what"]:
            yield f"docs/elsewhere.tsv: {row['elsewhere']}: neither present, nor a recipe, nor left out for a reason"
    for block in re.findall(r"^```swift\n(.*?)^```$", text, flags=re.M | re.S):
        if "\n" + block not in tested:
            yield f"docs/recipes.md: not in {test.name}:\n{block}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--check", action="store_true", help="write nothing; fail if anything is open, unknown or stale"
    )
    check = parser.parse_args().check
    operators, wrong = read()
    drawn = {}
    for picture in pictures.read():
        drawn.setdefault(picture.operator, []).append(picture)
    wrong += [*faults_of_pictures(operators, drawn), *faults_of_recipes()]
    written = {ROOT / "docs/operators.md": table(operators)}
    for family in FAMILIES:
        rows = [operator for operator in operators if operator.family == family]
        if rows:
            written[ROOT / f"docs/operators/{family}.md"] = page(family, rows, drawn)
    for path, text in written.items():
        if not check:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            wrong.append(f"{path.relative_to(ROOT)}: stale; run scripts/operators.py")
    for operator in operators:
        if not operator.comment:
            wrong.append(f"{operator.swift}: no comment")
    for fault in wrong:
        print(fault)
    print(
        f"{len(operators)} operators, {sum(map(len, drawn.values()))} pictures of {len(drawn)} of them, "
        f"{len(wrong)} faults"
    )
    if check and wrong:
        sys.exit(1)


if __name__ == "__main__":
    main()
