#!/usr/bin/env python3
"""Holds docs/debugging.md to what happens: runs the commands of its ```console blocks, in the folder of the programs of
examples/c/debugging, with the library that is installed in build/prefix, and compares what they print. Numbers with a
point, addresses, numbers of threads and folders may be others; a line of `…` stands for any lines."""
import os, pathlib, re, shutil, subprocess, sys

root = pathlib.Path(__file__).resolve().parent.parent
work = root / "build" / "stories"
shutil.rmtree(work, ignore_errors=True)
shutil.copytree(root / "examples" / "c" / "debugging", work)
prefix = root / "build" / "prefix"
environment = {name: value for name, value in os.environ.items() if not name.startswith("SIGNALKIT_")}
environment.update(PKG_CONFIG_PATH=str(prefix / "lib" / "pkgconfig"), LD_LIBRARY_PATH=str(prefix / "lib"))


def masked(text):
    for changing in (r"0x[0-9a-f]+", r"\d+\.\d+(?= )", r"(?<=thread )\d+", r"\S*/(?=lib\w+\.so)", r"(?<=run #)\d+",
            r"(?<=^)#\d+|(?<= )#\d+"):
        text = re.sub(changing, "~", text, flags=re.M)
    return [re.sub(r"\+~\) \[~\]", "", line.rstrip()) for line in text.strip().splitlines()]


def fits(lines, wanted):
    if not wanted: return not lines
    if wanted[0].strip() == "…": return any(fits(lines[skipped:], wanted[1:]) for skipped in range(len(lines) + 1))
    return bool(lines) and lines[0] == wanted[0] and fits(lines[1:], wanted[1:])


count, complaints = 0, []
for block in re.findall(r"^```console\n(.*?)^```$", (root / "docs" / "debugging.md").read_text(), flags=re.M | re.S):
    for command, wanted in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, flags=re.M):
        done = subprocess.run(["stdbuf", "-oL", "bash", "-c", command], cwd=work, env=environment, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
        count += 1
        if not fits(masked(done.stdout), masked(wanted)):
            complaints.append(f"$ {command}\n{done.stdout}not:\n{wanted}")
programs = {program.stem for program in work.glob("*.c")}
complaints += [f"{program}: was not made" for program in programs if not (work / program).exists()]
print("\n".join([*complaints, f"{count} commands"]))
sys.exit(1 if complaints else 0)
