#!/usr/bin/env python3
"""The names of the library in Swift, Objective-C and C, side by side.

docs/names.tsv says for each public declaration of the core what it is called in C, or why it has no meaning there. Writes docs/names.md. With
--check it writes nothing and fails if

- a public declaration of the core has no row, or a row none of the declarations,
- a row has neither a C name nor a reason,
- a C name is no exported function, type, macro or inline function of the headers,
- a C function or type is in no row,
- the written file is not what it would be.
"""

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODIFIERS = r"(?:(?:static|class|final|convenience|override|mutating|nonisolated\(unsafe\)|private\(set\)|weak|borrowing)\s+)*"
DECLARATION = re.compile(
    rf"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:nonisolated\(unsafe\)|convenience|override|final|static|class|mutating)\s+)*public\s+{MODIFIERS}"
    r"(func|init|let|var|class|struct|enum|protocol|typealias|actor)\b\s*`?([^\s`<(:]*)`?"
)
SCOPE = re.compile(rf"^\s*(?:@\w+\s+)*(?:public\s+|private\s+|fileprivate\s+)?{MODIFIERS}(class|struct|enum|protocol|extension|actor)\s+(\w+)")
REQUIREMENT = re.compile(r"^\s*(func|var)\s+(\w+)")


def labels(text):
    """The argument labels of the parameter list that `text` begins with, as `(a:_:)`."""
    depth, part, parts = 0, "", []
    for before, letter in zip(" " + text, text):
        if letter in "([{" or (letter == "<" and before != " "):
            depth += 1
            if depth == 1:
                continue
        elif letter in ")]}" or (letter == ">" and before != "-" and depth > 1):
            depth -= 1
            if depth == 0:
                break
        if letter == "," and depth == 1:
            parts.append(part)
            part = ""
        else:
            part += letter
    parts.append(part)
    return "(" + "".join(p.split(":")[0].split()[0] + ":" for p in parts if ":" in p) + ")"


def without_comments(text):
    return re.sub(r"//[^\n]*", "", text)


def declarations():
    """The public declarations of the core: name -> file; and what a type is derived from or another name of."""
    found, parents = {}, {}
    for path in sorted((ROOT / "Sources" / "SignalKit").rglob("*.swift")):
        lines = without_comments(path.read_text(encoding="utf-8")).splitlines()
        scopes, depth = [], 0  # (name, the depth inside, whether a public protocol, whether its members can be public)
        for index, line in enumerate(lines):
            match = DECLARATION.match(line)
            requirement = scopes and scopes[-1][2] and depth == scopes[-1][1] and REQUIREMENT.match(line)
            if match or requirement:
                kind, name = (match or requirement).groups()
                if not all(scope[3] for scope in scopes):
                    continue
                prefix = ".".join(scope[0] for scope in scopes)
                if kind in ("func", "init"):
                    rest = "\n".join(lines[index : index + 20])[(match or requirement).end() :]
                    if rest.startswith("<") or rest.lstrip().startswith("<"):
                        rest = rest[re.match(r"\s*<[^(]*", rest).end() :]
                    name = (name or "init") + labels(rest[rest.index("(") :])
                found[f"{prefix}.{name}" if prefix else name] = path
                if kind == "typealias":
                    parents[name] = re.search(r"=\s*(\w+)", line).group(1)
            scope = SCOPE.match(line)
            opened = line.count("{") - line.count("}")
            if scope and opened > 0:
                is_public = "public" in line.split(scope.group(1))[0]
                scopes.append((scope.group(2), depth + 1, is_public and scope.group(1) == "protocol", is_public or scope.group(1) == "extension"))
                parent = re.search(r":\s*(\w+)", line)
                if scope.group(1) == "class" and parent:
                    parents.setdefault(scope.group(2), parent.group(1))
            depth += opened
            while scopes and depth < scopes[-1][1]:
                scopes.pop()
    return found, parents


def c_names():
    """What a C program can name: exported functions, and the types, macros and inline functions of the headers."""
    functions = set((ROOT / "Tests/abi/symbols.txt").read_text().split())
    text = "".join(path.read_text(encoding="utf-8") for path in [ROOT / "include/signalkit.h", *sorted((ROOT / "include/signalkit").glob("*.h"))])
    text = re.sub(r"/\*\* @cond.*?@endcond \*/", "", text, flags=re.S)  # what is inside
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    types = set(re.findall(r"SGK_HANDLE\((sgk_\w+)\)", text)) | set(re.findall(r"^typedef (?:struct|enum) (sgk_\w+)", text, flags=re.M))
    others = set(re.findall(r"#define (SGK_\w+)", text)) | set(re.findall(r"static inline [^(]*?(sgk_\w+)\(", text))
    return functions, types, others | set(re.findall(r"\b(SGK_[A-Z_]+)\b", text))


def read_rows():
    lines = (ROOT / "docs/names.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines[1:]]
    for number, cells in enumerate(rows, 2):
        if len(cells) != 3:
            sys.exit(f"docs/names.tsv:{number}: {len(cells)} cells instead of 3")
    return [{"swift": swift, "c": [name for name in c.split(", ") if name], "reason": reason} for swift, c, reason in rows]


def base(name):
    """A declaration without its labels."""
    return name.split("(")[0]


def base_of_symbol(symbol):
    """The declaration that a symbol of the checklist stands for, without labels; such symbols are written for people."""
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
    """The rows for what a symbol of the checklist stands for: of several forms, the one with the same labels, if there is one."""
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
    """What answers a symbol of the checklist in C: the names, or the reasons where there is none. Nothing when the core has no such declaration."""
    answers = answering(symbol, rows, parents)
    return list(dict.fromkeys(name for row in answers for name in row["c"])), list(dict.fromkeys(row["reason"] for row in answers if row["reason"]))


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
        "Written by `scripts/names.py` from `docs/names.tsv`, which the tests compare with the sources and the headers: every public declaration of the",
        "core, what the Objective-C originals (SSignalKit, MTSignal) called it, and what it is in C, or why it is not there. How to guess the C name is",
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
    """What a declaration is called in C by the rules of conventions.md, as far as the headers have it: the name with the most words first."""
    owner, _, member = base(name).rpartition(".")
    verb = re.sub(r"^(put(?=[A-Z])|is(?=[A-Z])|make(?=[A-Z]))|Count$", "", member)
    words = [re.sub(r"(?<=[a-z])(?=[A-Z])", "_", word).lower() for word in (owner, member, verb, *re.findall(r"(\w+):", name)) if word != "_"]
    of, whole, short, *labels = words
    stems = [f"sgk_{of}_create" if member == "init" else f"sgk_{of}_{verb}" for verb in (whole, short)] if of else [f"sgk_signal_{whole}", f"sgk_{whole}"]
    candidates = [stem + "".join(f"_{label}" for label in labels[:count]) for count in range(len(labels), -1, -1) for stem in stems]
    return next((candidate for candidate in candidates if candidate in known), None)


def faults(rows, found):
    functions, types, others = c_names()
    listed = [row["swift"] for row in rows if row["swift"]]
    for name in sorted(set(found) - set(listed)):
        guess = proposed(name, functions | types)
        yield f"{found[name].relative_to(ROOT)}: {name} has no row in docs/names.tsv" + (f": perhaps {guess}" if guess else "")
    for name in sorted(set(listed) - set(found)):
        yield f"docs/names.tsv: {name} is no public declaration of the core"
    for name in sorted({name for name in listed if listed.count(name) > 1}):
        yield f"docs/names.tsv: {name} stands there twice"
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
    parser.add_argument("--check", action="store_true", help="write nothing; fail if anything is open, unknown or stale")
    check = parser.parse_args().check
    from coverage import read_table

    found, parents = declarations()
    rows = read_rows()
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
