#!/usr/bin/env python3
"""Does what a document says, as one who copies block after block into a terminal: `as_printed.py DOCUMENT [SWIFT]`.

The blocks ```sh are run by one shell, in the working directory, which has nothing in its environment but a home and a
PATH (with SWIFT, where the toolchain is). A program under a line that ends in `name`: is saved in the file of that
name, or path. What a block prints last is compared with its comment "# prints …". A line `make test` is left out:
this is one of its tests."""
import pathlib, re, shlex, subprocess, sys

document, *toolchain = sys.argv[1:]
path = ":".join(["/usr/local/bin", "/usr/bin", "/bin", "/usr/local/games", "/usr/games", *toolchain])
home = pathlib.Path("home").resolve()
home.mkdir(exist_ok=True)
text = pathlib.Path(document).read_text()
blocks = re.findall(r"(?:`(\w[\w/]*\.\w+)`:\n\n)?^```(\w+)\n(.*?)^```$", text, re.M | re.S)
shell = subprocess.Popen(
    ["env", "-i", f"HOME={home}", f"PATH={path}", "bash", "-e"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    text=True)


# (What it has started may go on, and have the pipe.)
shell.stdin.write("trap 'echo that has failed' EXIT\n")


def does(block):
    """What it prints; None if the shell has ended."""
    shell.stdin.write(f"eval {shlex.quote(block)} </dev/null\necho that is all\n")
    shell.stdin.flush()
    lines = []
    for line in shell.stdout:
        lines.append(line.removesuffix("that is all\n"))
        if lines[-1] != line: return "".join(lines)
        if line.endswith("that has failed\n"): break
    print("".join(lines))


count = 0
for name, language, block in blocks:
    if name:
        pathlib.Path(name).parent.mkdir(parents=True, exist_ok=True)
        pathlib.Path(name).write_text(block)
    if language != "sh": continue
    block = re.sub(r"^make test\b.*\n", "", block, flags=re.M)
    print(block, flush=True)
    printed, expected = does(block), re.search(r"# prints (.*)", block)
    if printed is None: sys.exit(f"{document}: this has failed, with {shell.wait()}:\n{block}")
    print(printed)
    words = expected[1].split(", ") if expected else []
    if printed.split()[len(printed.split()) - len(words):] != words:
        sys.exit(f"{document}: it does not print {expected[1]}:\n{block}")
    count += 1
print(count, "blocks")
sys.exit(0 if count else f"{document}: no block")
