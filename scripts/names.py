#!/usr/bin/env python3
"""The names of the library in Swift, Objective-C and C, side by side.

docs/names.tsv says for the public declarations of the core what they are called in C, or why they have no meaning
there; what has the name in C that the rules of docs/conventions.md make needs no row. Writes docs/names.md. With
--check it writes nothing and fails if

- a public declaration of the core has neither a row nor that name, or a row none of the declarations,
- a row says no more than the rules,
- a row has neither a C name nor a reason,
- a C name is no exported function, type, macro or inline function of the headers,
- a C function or type is in no row,
- the written file is not what it would be.
"""

import argparse
import re
import sys

from sources import ROOT, c_names, declarations, read_table


def read_rows(found):
    """The rows of the table; and of each declaration that has none there, if the headers have it under the name that
    the rules make."""
    rows = [{**row, "c": [name for name in row["c"].split(", ") if name]}
            for row in read_table(ROOT / "docs/names.tsv")]
    listed = {row["swift"] for row in rows}
    functions, types, _ = c_names()
    by_rule = ((name, proposed(name, functions | types)) for name in found if name not in listed)
    rows += [{"swift": name, "c": [answer], "reason": ""} for name, answer in by_rule if answer]
    places = {name: place for place, name in enumerate(found)}
    return sorted(rows, key=lambda row: places.get(row["swift"], len(places)))  # in the order of the sources


def base(name):
    """A declaration without its labels."""
    return name.split("(")[0]


def base_of_symbol(symbol):
    """The declaration that a symbol of the checklist stands for, without labels; such symbols are written for
    people."""
    text = symbol.replace("`", "")
    extension = re.match(r"extension (\w+): (\w+)", text)
    if extension:
        return f"{extension.group(1)}.{extension.group(2)}"
    comparison = re.match(r"func == \((\w+)", text)
    if comparison:
        return f"{comparison.group(1)}.=="
    pipe = re.search(r"\|>", text)
    if pipe:
        return "|>"
    text = re.sub(r"^(?:(?:final|class|static|func|enum|struct|protocol|let|@protocol) )*", "", text)
    match = re.match(r"[\w.]+", text)
    return match.group(0) if match else ""


def answering(symbol, rows, parents):
    """The rows for what a symbol of the checklist stands for: of several forms, the one with the same labels, if there
    is one."""
    found = []
    for part in re.split(r", (?=[A-Z]\w*\.)", symbol):
        name = base_of_symbol(part)
        while True:
            matching = [row for row in rows if name and base(row["swift"]) == name]
            head, _, tail = name.partition(".")
            if matching or head not in parents:
                break
            name = f"{parents[head]}.{tail}" if tail else parents[head]
        if not matching and name and "." not in name:  # a member without its type
            matching = [row for row in rows if base(row["swift"]).endswith(f".{name}")]
        written = re.search(r"\([\w:]*\)", re.sub(r"_ \w+:", "_:", part))
        exact = [row for row in matching if written and row["swift"].endswith(written.group(0))]
        found += exact or matching
    return found


def in_c(symbol, rows, parents):
    """What answers a symbol of the checklist in C: the names, or the reasons where there is none. Nothing when the core
    has no such declaration."""
    answers = answering(symbol, rows, parents)
    return list(dict.fromkeys(name for row in answers for name in row["c"])), list(
        dict.fromkeys(row["reason"] for row in answers if row["reason"]))


def cell(text):
    return text.replace("|", "\\|")


def code(names):
    return ", ".join(f"`{cell(name)}`" for name in names)


def page(rows, checklist, parents):
    objective = {row["swift"]: [] for row in rows}
    for row in checklist:
        if row["id"].split("-")[0] in ("OC", "OC19", "MT") and row["swift"]:
            for answer in answering(row["swift"], rows, parents):
                objective[answer["swift"]].append(row["symbol"])
    out = [
        "# The names in Swift, Objective-C and C",
        "",
        "Written by `scripts/names.py` from `docs/names.tsv`, which the tests compare with the sources and the "
        "headers: every public declaration of the",
        "core, what the Objective-C originals (SSignalKit, MTSignal) called it, and what it is in C, or why it is "
        "not there. How to guess the C name is",
        "said in [conventions.md](conventions.md#names).",
        "",
        "| Swift | Objective-C | C |",
        "| --- | --- | --- |",
    ]
    for row in rows:
        if row["swift"]:
            remark = code(row["c"]) + (" " if row["c"] and row["reason"] else "") + cell(row["reason"])
            out.append(f"| `{cell(row['swift'])}` | {code(sorted(set(objective[row['swift']])))} | {remark} |")
    out += ["", "## Only in C", "", "| C | |", "| --- | --- |"]
    out += [f"| {code(row['c'])} | {cell(row['reason'])} |" for row in rows if not row["swift"]]
    return "\n".join(out) + "\n"


def proposed(name, known):
    """What a declaration is called in C by the rules of conventions.md, as far as the headers have it: the name with
    the most words first."""
    owner, _, member = base(name).rpartition(".")
    verb = re.sub(r"^(put(?=[A-Z])|is(?=[A-Z])|make(?=[A-Z]))|Count$", "", member)
    words = [
        re.sub(r"(?<=[a-z])(?=[A-Z])", "_", word).lower()
        for word in (owner, member, verb, *re.findall(r"(\w+):", name)) if word != "_"
    ]
    of, whole, short, *labels = words
    stems = [f"sgk_{of}_create" if member == "init" else f"sgk_{of}_{verb}"
             for verb in (whole, short)] if of else [f"sgk_signal_{whole}", f"sgk_{whole}"]
    candidates = [
        stem + "".join(f"_{label}" for label in labels[:count]) for count in range(len(labels), -1, -1)
        for stem in stems
    ]
    return next((candidate for candidate in candidates if candidate in known), None)


def needless(rows):
    """What the table says although the rules do."""
    functions, types, _ = c_names()
    written = {row["swift"] for row in read_table(ROOT / "docs/names.tsv")}
    return [
        row["swift"] for row in rows
        if row["swift"] in written and not row["reason"] and row["c"] == [proposed(row["swift"], functions | types)]
    ]


def faults(rows, found):
    functions, types, others = c_names()
    listed = [row["swift"] for row in rows if row["swift"]]
    for name in sorted(set(found) - set(listed)):
        yield f"{found[name].relative_to(ROOT)}: {name} has no row in docs/names.tsv, and no name in C by the rules"
    for name in sorted(set(listed) - set(found)):
        yield f"docs/names.tsv: {name} is no public declaration of the core"
    for name in sorted({name for name in listed if listed.count(name) > 1}):
        yield f"docs/names.tsv: {name} stands there twice"
    for name in needless(rows):
        yield f"docs/names.tsv: {name} has the name of the rules, and needs no row"
    for row in rows:
        if not row["c"] and not row["reason"]:
            yield f"docs/names.tsv: {row['swift']}: no C name and no reason"
        for name in row["c"]:
            if name not in functions | types | others:
                yield f"docs/names.tsv: {name} is not in the headers"
    named = {name for row in rows for name in row["c"]}
    of_handles = {type + suffix for type in types for suffix in ("_retain", "_release")}
    typed = {name for name in functions if name.removesuffix("_typed") in named}
    for name in sorted((functions - of_handles - typed | types) - named):
        yield f"docs/names.tsv: {name} is in no row"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check",
                        action="store_true",
                        help="write nothing; fail if anything is open, unknown or stale")
    check = parser.parse_args().check
    found, parents = declarations()
    rows = read_rows(found)
    wrong = list(faults(rows, found))
    path, text = ROOT / "docs/names.md", page(rows, read_table(ROOT / "docs/checklist.tsv"), parents)
    if not check:
        path.write_text(text, encoding="utf-8")
    elif not path.exists() or path.read_text(encoding="utf-8") != text:
        wrong.append("docs/names.md: stale; run scripts/names.py")
    for fault in wrong:
        print(fault)
    print(f"{len(rows)} names, {len(wrong)} faults")
    if check and wrong:
        sys.exit(1)


if __name__ == "__main__":
    main()
