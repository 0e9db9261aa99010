#!/usr/bin/env python3
"""Writes the programs in Python that stand in the README files into a directory, a file each.

    python_examples.py DIRECTORY"""

import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

to = pathlib.Path(sys.argv[1])
shutil.rmtree(to, ignore_errors=True)
to.mkdir(parents=True)
for name, document in ("project", "README.md"), ("package", "bindings/python/README.md"):
    programs = re.findall(r"^```python\n(.*?)^```", (ROOT / document).read_text(), re.S | re.M)
    if not programs:
        sys.exit(f"{document}: no program in Python")
    for number, program in enumerate(programs, 1):
        (to / f"{name}_{number}.py").write_text(program)
