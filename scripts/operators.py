#!/usr/bin/env python3
"""Writes docs/operators.md, a table with the names of each operator in all languages and in other libraries, and a page
for each family of operators. A page has the comments of the sources and the pictures of scripts/pictures.py.

docs/operators.tsv contains the names of the operators, docs/elsewhere.tsv the operators that only other libraries have.
With --check it writes nothing and fails if

- a row names something that is not declared,
- an operator has no row or no comment, or has neither a picture nor a reason for its absence; or a picture no operator,
- two operators of a page have the same heading,
- a block of docs/recipes.md is not in the test of its language, or a recipe has no row in docs/elsewhere.tsv,
- a page is out of date."""

import argparse
import re
import sys
from typing import NamedTuple

import names
import pictures
import reference
import swift_reference
from sources import DECLARED, ROOT, declarations, documented_headers, labels, read_table

ELSEWHERE = ROOT / "docs/elsewhere.tsv"
RECIPES = {  # the test of each language, and how far its blocks are indented
    "swift": ("Tests/SignalKitTests/Pictures/RecipeTests.swift", 8),
    "python": ("bindings/python/tests/test_recipes.py", 4),
    "c": ("Tests/C/recipes.c", 0),
}
OTHERS = ["RxSwift", "ReactiveSwift", "Combine", "RxCpp", "ReactivePlusPlus", "rxjs", "Kotlin Flow"]
FAMILIES = {
    "creation": "Creating signals",
    "mapping": "Mapping and filtering values",
    "taking": "Taking and skipping values",
    "combining": "Combining several signals",
    "inner": "Signals of signals",
    "sequence": "Errors, retry and concatenation",
    "timing": "Time, rate limits and queues",
    "effects": "Side effects and tracing",
    "sharing": "Sharing, state and pipes",
    "reading": "Reading values from a thread or task",
}
# Headings that differ from the words of the Swift or C name.
HEADINGS = {
    "restart(_:)": "restart", "recurse(_:)": "recurse",
    "restartIfError(_:)": "restart if error", "retryIf(_:)": "retry if", "retryWhen(_:)": "retry when",
    "restartOrMapError(condition:)": "restart or map error",
    "Signal.init(_:)": "create",
    "State": "state",
    "distinctUntilChanged(isEqual:)": "distinct until changed",
    "chunked(_:_:queue:)": "chunked within a time",
    "debug_measureTimeToFirstEvent(label:to:)": "measure time to first event",
    "mapToSignal(per:limit:overflow:counter:_:)": "switch map per key",
    "mapToSignal(per:limit:_:)": "switch map per key",
    "sample(on:)": "sample on a trigger",
    "throttle(_:queue:edges:)": "throttle with edges",
    "withLatestFrom(_:_:)": "with latest from, mapped",
}
WITHOUT_PICTURE = {
    "serialized(_:)": "it separates two threads, and a picture shows one.",
    "castError(_:)": "it changes a type and no event.",
    "introduceError(_:)": "it changes a type and no event.",
    "deliverOnMainQueue(_:)": "a test cannot control the time of the main queue. See `deliverOn`.",
    "wait(_:queue:)": "it blocks the thread and forwards every event.",
    "named(_:file:line:)": "it forwards every event. The log shows the name.",
    "Signal.get(timeout:)": "it blocks the thread and returns the value.",
    "Signal.collect(limit:timeout:)": "it blocks the thread and returns the values.",
    "SignalReader": "a thread receives a value when it calls the reader.",
    "Signal.values": "a task receives a value when it asks for the next one.",
}
CPP_DECLARED = r"(?!return\b|#)\w[\w:<>&*, ]*?\b(\w+)\(|class (?:\[\[nodiscard\]\] )?(\w+)"


class Operator(NamedTuple):
    family: str
    swift: str
    c: list[str]
    cpp: str
    python: str
    elsewhere: list[str]
    comment: str
    file: str  # of the Swift declaration


class Section(NamedTuple):
    """The forms of an operator that have the same name in Swift and in C, under one heading."""

    heading: str
    forms: list[Operator]

    @property
    def anchor(self):
        return re.sub(r"[^\w -]", "", self.heading).replace(" ", "-")


def words(name):
    """The words of a name, which can be Swift's or C's."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", name).lower()


def sections(operators):
    """The sections of the page of a family."""
    found = {}
    for operator in operators:
        base = names.base(operator.swift).split(".")[-1]
        found.setdefault((base, *operator.c[:1]), []).append(operator)
    taken = set()
    for (base, *c), forms in found.items():
        in_c = words(re.sub(r"^sgk_(signal_)?", "", c[0])) if c else ""
        heading = HEADINGS.get(forms[0].swift, in_c if in_c and in_c not in taken else words(base))
        taken.add(heading)
        yield Section(heading, forms)


def comment_of(name, path):
    """The comment above a declaration, without its parameters."""
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
    """The operators of the table, in its order, and its faults."""
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
        if "SignalKitCore/Operators/" in str(path) and name[0].islower() and names.base(name) not in listed:
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
            str(found[row["swift"]].relative_to(ROOT)),
        )
        for row in rows
        if row["swift"] in found
    ]
    return operators, wrong


def defined(files, pattern):
    """The names that the files of a language define."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(ROOT.glob(files)))
    return set(re.findall(pattern, text, flags=re.M))


def declared_in_cpp(text):
    """The names that a C++ header declares, each with the number of its first line, from 0."""
    found = {}
    for number, line in enumerate(text.splitlines()):
        declared = re.match(CPP_DECLARED, re.sub(r"^(template <[^>]*>|\[\[nodiscard\]\]) (?=\w)", "", line))
        if declared:
            found.setdefault(declared[1] or declared[2], number)
    return found


class Places:
    """The place of each name in the reference of its language: a path with a fragment. On the site it leads to the
    reference (scripts/site_pages.py), and elsewhere to the source file."""

    def __init__(self):
        cpp = [path for path in sorted(ROOT.glob("include/signalkit/cpp/*.hpp")) if path.name != "library.hpp"]
        self.cpp = [(path.name, declared_in_cpp(path.read_text(encoding="utf-8"))) for path in cpp]
        self.headers = {
            name: header
            for header, text in documented_headers()
            for found in DECLARED.finditer(text)
            for name in re.findall(r"\w+(?=\()|$", found["function"] or found["inline"] or "")[:1]
            + [found["handle"], found["type"], found["opaque"], (found["macro"] or "").partition("(")[0]]
        }
        docs, package = ROOT / "bindings/python/docs", ROOT / "bindings/python/src/libsignalkit"
        self.classes = {
            name: page.name
            for page in sorted(docs.glob("*.rst"))
            for name in re.findall(r"^\.\. autoclass:: (\w+)", page.read_text(encoding="utf-8"), flags=re.M)
        }
        signal = "".join((package / name).read_text(encoding="utf-8") for name in ("signal.py", "_methods.py"))
        self.methods = set(re.findall(r"^    (?:async )?def (\w+)", signal, flags=re.M))

    def in_swift(self, operator):
        return f"{operator.file}#{swift_reference.anchor(operator.swift)}"

    def in_c(self, name):
        return f"include/signalkit/{self.headers[name]}.h#c.{name}"

    def in_cpp(self, name):
        return next(f"include/signalkit/cpp/{file}#{name}" for file, declared in self.cpp if name in declared)

    def in_python(self, name):
        if name in self.classes:
            return f"bindings/python/docs/{self.classes[name]}#libsignalkit.{name}"
        if name in self.methods:
            return f"bindings/python/docs/signals.rst#libsignalkit.Signal.{name}"
        return f"bindings/python/docs/operators.rst#libsignalkit.operators.{name}"


# ---- Writing ----


def cell(texts):
    return ", ".join(f"`{names.cell(text)}`" for text in texts if text) or "–"


def table(operators):
    out = [
        "<!-- Generated by scripts/operators.py. Do not edit. -->",
        "# Operators",
        "",
        "The table has the names of each operator in Swift, C, C++ and Python, and its nearest counterparts in seven",
        "libraries. A counterpart may differ in its errors, completion and threads.",
        "[Operators of other libraries](#operators-of-other-libraries) lists the other names that people look for.",
        "",
        "Each operator has a picture, drawn from a test (`Tests/SignalKitTests/Pictures`). Time goes from left to",
        "right. The lines above the box are the sources. The lines below it are the results, one for each",
        "subscriber. A bar is a completion, and a cross is an error. A result is dotted before its subscriber",
        "subscribes, and a tick marks the disposal. `called` shows the calls of the functions in the box. `paused`",
        "shows where a pause stops the first source (p), and where it continues (r). The source then waits with its",
        "next value. On the site (`make docs`) you can move the marbles of a source, and the library computes the",
        "result ([how](../tools/marbles/README.md)).",
    ]
    for family, title in FAMILIES.items():
        rows = [operator for operator in operators if operator.family == family]
        if not rows:
            continue
        out += ["", f"## [{title}](operators/{family}.md)", ""]
        out += ["| " + " | ".join(["Swift", "C", "C++", "Python", *OTHERS]) + " |", "|" + " --- |" * (4 + len(OTHERS))]
        anchors = {form.swift: section.anchor for section in sections(rows) for form in section.forms}
        for operator in rows:
            link = f"[`{names.cell(operator.swift)}`](operators/{family}.md#{anchors[operator.swift]})"
            others = [names.cell(other) if other != "-" else "–" for other in operator.elsewhere]
            out.append(
                "| "
                + " | ".join([link, cell(operator.c), cell([operator.cpp]), cell([operator.python]), *others])
                + " |"
            )
    out += ["", "## Operators of other libraries", ""]
    out += ["`present` means that an operator above does the same. A recipe combines operators.", ""]
    out += ["| elsewhere | here | |", "| --- | --- | --- |"]
    out += [f"| {row['elsewhere']} | {row['here']} | {row['what']} |" for row in read_table(ELSEWHERE)]
    return "\n".join(out) + "\n"


def linked(texts, place):
    """The names without repetition, each linked to its place in the reference."""
    return ", ".join(f"[`{text}`](../../{place(text)})" for text in dict.fromkeys(texts) if text)


def page(family, operators, drawn, places):
    out = [
        "<!-- Generated by scripts/operators.py. Do not edit. -->",
        f"# {FAMILIES[family]}",
        "",
        "[Operators](../operators.md) explains the pictures and lists the names in other libraries.",
    ]
    for section in sections(operators):
        swift = {form.swift: form for form in section.forms}
        called = {
            "Swift": linked(swift, lambda name, forms=swift: places.in_swift(forms[name])),
            "C": linked([name for form in section.forms for name in form.c], places.in_c),
            "C++": linked([form.cpp for form in section.forms], places.in_cpp),
            "Python": linked([form.python for form in section.forms], places.in_python),
        }
        out += ["", f"## {section.heading}", ""]
        out += [" · ".join(f"{language}: {links}" for language, links in called.items() if links)]
        for form in section.forms:
            out += ["", f"**`{form.swift}`**"] if len(swift) > 1 else []
            out += ["", re.sub(r"\n+(?=\*\*\w+:\*\* )", "\n\n", form.comment)]
            for picture in drawn.get(form.swift, []):
                out += ["", f"![{picture.code}](pictures/{picture.file.name})"]
            if form.swift in WITHOUT_PICTURE:
                out += ["", f"(No picture: {WITHOUT_PICTURE[form.swift]})"]
    return "\n".join(out) + "\n"


def faults_of_pictures(operators, drawn):
    known = {operator.swift for operator in operators}
    for name in sorted(set(drawn) - known):
        yield f"Tests/SignalKitTests/Pictures: {name} has no row in docs/operators.tsv"
    for name in sorted(known - set(drawn) - set(WITHOUT_PICTURE)):
        yield f"{name}: no picture in Tests/SignalKitTests/Pictures, and no reason in scripts/operators.py"
    for name in sorted(set(WITHOUT_PICTURE) & set(drawn) | set(WITHOUT_PICTURE) - known):
        yield f"scripts/operators.py: {name} has a picture, or no row: no reason is wanted"


def faults_of_reference(operators, drawn):
    """The C reference takes its pictures from the pages."""
    shown = reference.pictures()
    for name in sorted({name for operator in operators for name in operator.c if name.startswith("sgk_")}):
        own = [picture for operator in operators if name in operator.c for picture in drawn.get(operator.swift, [])]
        if shown.get(name, "") not in [picture.file.name for picture in own] + [""][len(own[:1]) :]:
            yield f"{name}: the reference shows {shown.get(name, 'nothing')}, not a picture of this operator"


def faults_of_recipes():
    text = (ROOT / "docs/recipes.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.*)$", text, flags=re.M)
    recipes = {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}
    linked = set(re.findall(r"\(recipes\.md#([^)]*)\)", ELSEWHERE.read_text(encoding="utf-8")))
    for name in sorted(recipes ^ linked):
        yield f"{name}: in one of docs/recipes.md and docs/elsewhere.tsv only"
    for row in read_table(ELSEWHERE):
        if row["here"] not in ("present", "recipe", "left out") or not row["what"]:
            yield f"docs/elsewhere.tsv: {row['elsewhere']}: neither present, nor a recipe, nor left out for a reason"
    for language, (test, indentation) in RECIPES.items():
        tested = re.sub(rf"^ {{{indentation}}}", "", (ROOT / test).read_text(encoding="utf-8"), flags=re.M)
        for block in re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.M | re.S):
            if "\n" + block not in tested:
                yield f"docs/recipes.md: not in {test}:\n{block}"


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
    written, places = {ROOT / "docs/operators.md": table(operators)}, Places()
    for family in FAMILIES:
        rows = [operator for operator in operators if operator.family == family]
        if rows:
            written[ROOT / f"docs/operators/{family}.md"] = page(family, rows, drawn, places)
        headings = [section.heading for section in sections(rows)]
        wrong += [f"docs/operators/{family}.md: {one}: twice" for one in set(headings) if headings.count(one) > 1]
    for path, text in written.items():
        if not check:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            wrong.append(f"{path.relative_to(ROOT)}: stale; run scripts/operators.py")
    wrong += faults_of_reference(operators, drawn)
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
