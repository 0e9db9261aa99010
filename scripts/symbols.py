#!/usr/bin/env python3
"""Prints the functions that the public headers declare, one a line: what the library must export, and nothing else.
With --with-pointers only those with a pointer, or a function, among their parameters: what can be called with NULL.
With --with-values only those with a value among them: what it can be given away to."""
import pathlib, re, sys

root = pathlib.Path(__file__).resolve().parent.parent / "include" / "signalkit"
names = set()
for header in root.glob("*.h"):
    text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.S)
    for handle in re.findall(r"^SGK_HANDLE\((\w+)\)", text, flags=re.M):
        if "--with-values" not in sys.argv:
            names |= {handle + "_retain", handle + "_release"}
    for declaration in re.findall(r"^SGK_API[^;{]*;", text, flags=re.M):
        name, parameters = re.search(r"(sgk_\w+)\s*\((.*)\)", declaration, flags=re.S).groups()
        has = {"--with-pointers": "*" in parameters or "_fn " in parameters, "--with-values": re.search(r"\bsgk_value\b", parameters)}
        if all(has[option] for option in sys.argv[1:]):
            names.add(name)
print("\n".join(sorted(names)))
