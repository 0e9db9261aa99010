#!/usr/bin/env python3
"""Compares docs/unsafe.md with the sources: a file that uses one of the unsafe parts of the language that have a
section there is named in that section, and a file that is named there uses it."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = ROOT / "Sources"
sections = re.split(r"^## `(.+)`$", (ROOT / "docs" / "unsafe.md").read_text(), flags=re.M)[1:]
texts = {str(file.relative_to(SOURCES)): file.read_text() for file in SOURCES.rglob("*.swift")}
complaints = []
for part, text in zip(sections[::2], sections[1::2]):
    named = re.findall(r"`([\w+/]+\.swift)`", text)
    using = {name for name, source in texts.items() if part in source}
    complaints += [f"{part}: {name} uses it, and is not named" for name in sorted(using - set(named))]
    complaints += [f"{part}: {name} is named, and does not use it" for name in sorted(set(named) - using)]
    complaints += [f"{part}: {name} is named twice" for name in sorted(set(named)) if named.count(name) > 1]
    print(f"{part}: {len(using)} files")
print("\n".join(complaints))
sys.exit(bool(complaints) or len(sections) != 6)
