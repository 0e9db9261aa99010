#!/usr/bin/env python3
"""Prints the functions that the public headers declare, one a line: what the library must export, and nothing else."""
import pathlib, re

root = pathlib.Path(__file__).resolve().parent.parent / "include" / "signalkit"
names = set()
for header in root.glob("*.h"):
    text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.S)
    for handle in re.findall(r"^SGK_HANDLE\((\w+)\)", text, flags=re.M):
        names |= {handle + "_retain", handle + "_release"}
    for declaration in re.findall(r"^SGK_API[^;{]*;", text, flags=re.M):
        names.add(re.search(r"(sgk_\w+)\s*\(", declaration).group(1))
print("\n".join(sorted(names)))
