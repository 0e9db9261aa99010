#!/usr/bin/env python3
"""Prints the table of docs/platforms.md for the libraries built here. `--check` compares it with the page: the
dependencies must be equal, and the sizes about equal."""
import pathlib, re, subprocess, sys

root = pathlib.Path(__file__).resolve().parent.parent
BUILDS = {
    "x86-64, glibc": ("make", "embedded"),
    "ARM64, glibc": ("make CROSS=aarch64-linux-gnu", "aarch64-linux-gnu-embedded"),
    "x86-64, musl": ("make CROSS=x86_64-linux-musl", "x86_64-linux-musl-embedded"),
}


def output(*command):
    return subprocess.run(command, check=True, text=True, capture_output=True).stdout


def row(name, command, build):
    lib = root / "build" / build / "lib"
    shared, archive = lib / "libsignalkit.so", lib / "libsignalkit.a"
    header = output("readelf", "-hW", shared)
    kind = "ELF64, " + re.search(r"Machine: +(.*)", header)[1]
    needs = sorted(re.findall(r"NEEDED.*\[(.*)\]", output("readelf", "-dW", shared)))
    versions = re.findall(r"Name: GLIBC_(\S+)", output("readelf", "-VW", shared))
    newest = max(versions, key=lambda text: [int(part) for part in text.split(".")]) if versions else "–"
    size = f"{shared.stat().st_size / 1000:.0f} KB, {archive.stat().st_size / 1000:.0f} KB"
    return [name, f"`{command}`", kind, size, ", ".join(needs), newest]


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def alike(row, documented):
    sizes, others = zip(*(([int(n) for n in re.findall(r"(\d+) KB", cells[3])], cells[:3] + cells[4:])
                          for cells in (row, documented)))
    return others[0] == others[1] and all(abs(a - b) <= b / 10 for a, b in zip(*sizes))


rows = [
    row(name, *how) for name, how in BUILDS.items() if (root / "build" / how[1] / "lib" / "libsignalkit.a").exists()
]
if sys.argv[1:] == ["--check"]:
    lines = (root / "docs" / "platforms.md").read_text().splitlines()
    wrong = [row for row in rows if not any(line.startswith("|") and cells(line)[0] == row[0] and len(cells(line)) == 6
                                            and alike(row, cells(line)) for line in lines)]
    for row in wrong:
        print("docs/platforms.md does not say: |", " | ".join(row), "|")
    sys.exit(1 if wrong or not rows else 0)
print(
    "| | built by | `readelf -h` | shared, archive | needs | newest symbol of glibc |\n| --- | --- | --- | --- | --- "
    "| --- |"
)
for row in rows:
    print("|", " | ".join(row), "|")
