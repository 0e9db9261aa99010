#!/usr/bin/env python3
"""Checks that the names in docs/coming-from.md exist. The first column of a table contains names of another library;
the script checks those of SwiftSignalKit, GLib and asyncio. The other columns contain names of this library in the
language of their heading. A name in the text must exist in one of the languages or in a table."""

import asyncio
import functools
import pathlib
import re
import sys

from operators import defined
from sources import ROOT, c_names, declarations

GLIB = pathlib.Path("/usr/include/glib-2.0")
SWIFT = set(declarations()[0])
OURS = {
    "C": set.union(*c_names()) | defined("include/signalkit/*.h", r"\(\*(sgk_\w+)\)"),
    "C++": defined("include/signalkit/cpp/*.hpp", r"\b(\w+)\(") |
    defined("include/signalkit/cpp/*.hpp", r"\b(?:class|struct) (\w+)"),
    "Swift": SWIFT | {name.split("(")[0].split(".")[-1] for name in SWIFT},
    "Python": defined("bindings/python/src/libsignalkit/*.py", r"^ *(?:async )?(?:def|class) (\w+)") |
    {path.stem for path in (ROOT / "bindings/python/src/libsignalkit").glob("*.py")},
}


def code(text):
    return re.findall(r"`([^`]+)`", text)


def is_ours(name, language):
    if language == "Python":  # of a path or a chain of calls each part
        return all(part in OURS[language] for part in re.sub(r"\([^)]*\)", "", name).strip(".").split("."))
    return name in OURS[language]


@functools.cache
def glib():
    return "".join(path.read_text() for path in GLIB.rglob("*.h"))


def is_theirs(name, section):
    """Returns whether the name exists, for sections whose library can be checked."""
    if section == "asyncio":
        name = name.replace("loop.", "asyncio.AbstractEventLoop.")
        parts = name.split(".") if name.startswith("asyncio.") else ["asyncio"]
        return functools.reduce(lambda found, part: getattr(found, part, None), parts[1:], asyncio) is not None
    if section == "SwiftSignalKit":
        return re.search(rf"\b{re.escape(name)}\b", (ROOT / "docs/predecessors/checklist.tsv").read_text())
    return section != "GObject" or not GLIB.exists() or re.search(rf"\b{name}\b", glib())


def faults(page):
    theirs = set(re.findall(r"^## (.*)", page, flags=re.M))
    for part in re.split(r"^## ", page, flags=re.M)[1:]:
        section, rows = part.split("\n")[0], re.findall(r"^\| (.*) \|$", part, flags=re.M)
        _, *languages = rows[0].split(" | ")
        for there, *here in (row.split(" | ") for row in rows[2:]):
            theirs.update(word for name in code(there) for word in [name, *re.findall(r"\w+", name)])
            yield from (f"{section} has no {name}" for name in code(there) if not is_theirs(name, section))
            for language, cell in zip(languages, here, strict=True):
                yield from (f"{section}: no {name} in {language}" for name in code(cell) if not is_ours(name, language))
    for name in code(re.sub(r"^\|.*$", "", page, flags=re.M)):
        if re.fullmatch(r"[\w.]+(\([\w:]*\))?", name) and "/" not in name and name not in theirs and not any(
                is_ours(name, language) for language in OURS):
            yield f"{name} is nobody's"


found = list(faults((ROOT / "docs/coming-from.md").read_text()))
for fault in found: print(fault)
sys.exit(bool(found))
