#!/usr/bin/env python3
"""Prints the functions that the public headers declare, one a line: what the library must export, and nothing else.
With --with-pointers only those with a pointer, or a function, among their parameters: what can be called with NULL."""
import pathlib, re, sys

root = pathlib.Path(__file__).resolve().parent.parent / "include" / "signalkit"
names = set()
for header in root.glob("*.h"):
    text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.S)
    for handle in re.findall(r"^SGK_HANDLE\((\w+)\)", text, flags=re.M):
        names |= {handle + "_retain", handle + "_release"}
    for declaration in re.findall(r"^SGK_API[^;{]*;", text, flags=re.M):
        name, parameters = re.search(r"(sgk_\w+)\s*\((.*)\)", declaration, flags=re.S).groups()
        if "--with-pointers" not in sys.argv or "*" in parameters or "_fn " in parameters:
            names.add(name)
print("\n".join(sorted(names)))
