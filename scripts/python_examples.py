#!/usr/bin/env python3
"""Writes the programs in Python that stand in the README files, the cookbook and Python's guide into a directory, a
file each; and what they print, where a block ```output behind them says so, into another. In the guide all say so.

    python_examples.py DIRECTORY"""

import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

to = pathlib.Path(sys.argv[1])
shutil.rmtree(to, ignore_errors=True)
to.mkdir(parents=True)
documents = {"project": ROOT / "README.md", "package": ROOT / "bindings/python/README.md"}
documents |= {page.stem: page for page in sorted((ROOT / "docs/cookbook").glob("*.md"))}
guide = {page.stem: page for page in sorted((ROOT / "bindings/python/docs").glob("*.md"))}
documents |= guide
for name, document in documents.items():
    programs = re.findall(r"^```python\n(.*?)^```$(?:\n\n^```output\n(.*?)^```$)?", document.read_text(), re.S | re.M)
    if not programs and name in ("project", "package", *guide):
        sys.exit(f"{document.relative_to(ROOT)}: no program in Python")
    for number, (program, prints) in enumerate(programs, 1):
        (to / f"{name}_{number}.py").write_text(program)
        if name in guide and not prints:
            sys.exit(f"{document.relative_to(ROOT)}: it does not say what this prints:\n{program}")
        if prints:
            (to / f"{name}_{number}.txt").write_text(prints)
