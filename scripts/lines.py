#!/usr/bin/env python3
"""Lists the lines of the sources that are longer than 120 characters. Tables may be: in a comment, in Markdown, in a .tsv."""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PLACES = ["Sources", "include", "Tests/C"]
MADE = {"Tests/C/misuse_made.c"}
TABLES = (".md", ".tsv", ".symbols")

listed = subprocess.run(["git", "ls-files", "-z", *PLACES], cwd=ROOT, stdout=subprocess.PIPE, check=True, text=True)
complaints = [
    f"{name}:{number}: {len(line)} characters"
    for name in filter(None, listed.stdout.split("\0")) if name not in MADE and not name.endswith(TABLES)
    if (ROOT / name).exists()
    for number, line in enumerate((ROOT / name).read_text().splitlines(), 1)
    if len(line) > 120 and not line.lstrip(" */").startswith("|")
]
print("\n".join(complaints))
sys.exit(bool(complaints))
