#!/usr/bin/env python3
"""Lists the lines of the code that are longer than 120 characters. Tables may be: in a comment, in Markdown, in a
.tsv."""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLES = (".md", ".tsv", ".symbols", ".svg")
LEFT_OUT = (
    # Files by other authors, and generated programs.
    "LICENSE", "NOTICE", "Tests/C/misuse_made.c", "Tests/toolchain/unwind", "Tests/toolchain/cold", "Tests/fuzz/corpus",
    # Older than the rule, with hundreds of long lines: the bindings and the tests in Swift, of one case a line each.
    "bindings", "Tests/SignalKitTests",
    # Programs for readers, with comments at the ends of lines. docs/guide.md and docs/guide-cpp.md quote some of them.
    "examples",
)

listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, stdout=subprocess.PIPE, check=True, text=True)
complaints = [
    f"{name}:{number}: {len(line)} characters"
    for name in filter(None, listed.stdout.split("\0")) if not name.startswith(LEFT_OUT) and not name.endswith(TABLES)
    if (ROOT / name).is_file()
    for number, line in enumerate((ROOT / name).read_text(encoding="utf-8").splitlines(), 1)
    if len(line) > 120 and not line.lstrip(" */").startswith("|")
]
print("\n".join(complaints))
sys.exit(bool(complaints))
