#!/usr/bin/env python3
"""Builds the reference of Python's package, with Sphinx, and looks whether every public name is in it.

    python_reference.py DIRECTORY       with the interpreter that has Sphinx and the package"""

import inspect
import pathlib
import subprocess
import sys

import libsignalkit
from sphinx.util.inventory import InventoryFile

SOURCE = pathlib.Path(__file__).resolve().parent.parent / "bindings/python/docs"
LEFT_OUT = {"__version__", "aio", "descriptors", "operators"}  # the modules have pages

to = pathlib.Path(sys.argv[1])
built = subprocess.run([sys.executable, "-m", "sphinx", "-q", "-E", "-W", "--keep-going", "-b", "html", SOURCE, to])
if built.returncode:
    sys.exit(built.returncode)
with open(to / "objects.inv", "rb") as file:
    there = {name for kind in InventoryFile.load(file, "", lambda base, name: name).values() for name in kind}


def names(module):
    """The public names of a module, and the members of its public classes."""
    for name in set(module.__all__) - LEFT_OUT:
        yield name
        if inspect.isclass(what := getattr(module, name)):
            yield from (f"{name}.{member}" for member in vars(what) if not member.startswith("_"))


missing = [
    name for name in {*names(libsignalkit), *names(libsignalkit.aio), *names(libsignalkit.descriptors)}
    if not any(f"libsignalkit{module}.{name}" in there for module in ("", ".operators", ".aio", ".descriptors"))
]
for name in sorted(missing):
    print(f"{name}: not in the reference")
sys.exit(bool(missing))
