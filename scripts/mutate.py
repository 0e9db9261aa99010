#!/usr/bin/env python3
"""Changes the library in many small ways, one at a time, and sees whether a test fails for each.

    scripts/mutate.py              tries all of scripts/mutations.tsv
    scripts/mutate.py NUMBER…      only those lines
    scripts/mutate.py --check      only looks whether the sources have what the lines change
    QUICK=1 scripts/mutate.py      only with the programs in C, without the suites in Swift, which take long to build
    ONLY="sight inspect" QUICK=1 scripts/mutate.py NUMBER…     and of these with these groups of the C suite alone

All the changes are compiled at once, into a copy of the sources; SIGNALKIT_MUTANT chooses one when a test program
starts. So there is one build, and a change costs no more than the tests that look for it. One that is killed makes a
suite fail, crash or hang (each has a limit). One that survives needs a test, or a reason, which stands in the last
column: then it is not tried.

A line of mutations.tsv: the file (Swift, or C), a text that comes before, what is changed behind it, what it becomes,
the reason. Where the old text is all of a line, it is a statement, and the new one too, or nothing; otherwise both are
expressions."""

import os
import re
import resource
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DATA = os.path.join(ROOT, "scripts", "mutations.tsv")
COPY = os.path.join(ROOT, "build", "mutants")
GROUPS = os.environ.get("ONLY", (
    "queues workers pools custom_queues order bounded timing combining threads inner "
    "mapping taking sequence sources joining sharing readers models sight parameters inspect"
)).split()
QUICK = "QUICK" in os.environ
SUITES = "Sight|Delivery|DeliverOn|Bounded|WorkerPool|Queue|ThreadPool|EventLoop|Timer|ModelTests"

CHOICE = """
#include <stdlib.h>
int sgk_mutant;
__attribute__((constructor)) static void choose_mutant(void) {
    const char *chosen = getenv("SIGNALKIT_MUTANT");
    if (chosen) sgk_mutant = atoi(chosen);
}
"""


def read():
    with open(DATA) as file:
        rows = [line.rstrip("\n").split("\t") for line in file][1:]
    return {number: row + [""] * (5 - len(row)) for number, row in enumerate(rows, 2)}


def mutated(text, changes):
    """The text with all the changes in it, each behind its number."""
    places = {}
    for number, (_, before, old, new, _) in changes.items():
        place = text.find(before)
        start = text.find(old, place + len(before))
        if place < 0 or start < 0:
            sys.exit(f"mutations.tsv:{number}: not found: {old}")
        places.setdefault((start, start + len(old)), []).append((number, new))
    spans = sorted(places)
    for one, other in zip(spans, spans[1:]):
        if other[0] < one[1]:
            sys.exit(f"mutations.tsv: {places[one]} and {places[other]} overlap")
    for start, end in reversed(spans):
        old = text[start:end]
        line_start, line_end = text.rfind("\n", 0, start) + 1, text.find("\n", end)
        is_statement = not text[line_start:start].strip() and not text[end:line_end].strip()
        for number, new in places[start, end]:
            if not is_statement:
                old = f"(sgk_mutant == {number} ? {new} : {old})"
            elif new:
                old = f"if (sgk_mutant == {number}) {{ {new} }} else {{ {old} }}"
            else:
                old = f"if (sgk_mutant != {number}) {{ {old} }}"
        text = text[:start] + old + text[end:]
    if next(iter(changes.values()))[0].endswith(".c"):
        return "extern int sgk_mutant;\n" + text
    return text if "import SignalKitShims" in text else "import SignalKitShims\n" + text


def write(path, text):
    """Only what has changed, so that it is not compiled again."""
    if os.path.exists(path):
        with open(path) as file:
            if file.read() == text:
                return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def grouped(mutations):
    by_file = {}
    for number, row in mutations.items():
        by_file.setdefault(row[0], {})[number] = row
    return by_file


def check(mutations):
    for path, rows in grouped(mutations).items():
        with open(os.path.join(ROOT, "Sources", path)) as file:
            mutated(file.read(), rows)


def make_copy(mutations):
    by_file = grouped(mutations)
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, stdout=subprocess.PIPE, check=True, text=True).stdout
    kept = set()
    for path in filter(None, listed.split("\0")):
        if not re.match(r"(Sources|include|Tests|scripts)/|Makefile|Package", path):
            continue
        try:
            with open(os.path.join(ROOT, path)) as file:
                text = file.read()
        except (UnicodeDecodeError, FileNotFoundError):
            continue
        name = path.removeprefix("Sources/")
        if name in by_file:
            text = mutated(text, by_file.pop(name))
        elif name == "SignalKitShims/shims.c":
            text += CHOICE
        elif name == "SignalKitShims/include/SignalKitShims.h":
            text = text.replace("#endif", "extern int sgk_mutant;\n#endif")
        write(os.path.join(COPY, path), text)
        shutil.copymode(os.path.join(ROOT, path), os.path.join(COPY, path))
        kept.add(path)
    if by_file:
        sys.exit(f"mutations.tsv: no such file: {', '.join(by_file)}")
    for folder in ("Sources", "Tests"):
        for place, _, names in os.walk(os.path.join(COPY, folder)):
            for name in names:
                if os.path.relpath(os.path.join(place, name), COPY) not in kept:
                    os.remove(os.path.join(place, name))
    runs = "".join(f"int run_{name}(void);\n" for name in GROUPS)
    calls = " || ".join(f"run_{name}()" for name in GROUPS)
    write(os.path.join(COPY, "groups.c"), f"{runs}int main(void) {{ return {calls}; }}\n")


def build():
    flags = ("-std=c11 -D_GNU_SOURCE -g -Iinclude -Lbuild/embedded/lib -lsignalkit -lcmocka -lpthread -lm -ldl "
             "-rdynamic -Wl,-rpath,$PWD/build/embedded/lib")
    script = f"""set -e
make --no-print-directory lib
cc -Dmain=all_groups -c -std=c11 -D_GNU_SOURCE -g -Iinclude Tests/C/main.c -o build/main.o
cc groups.c build/main.o $(ls Tests/C/*.c | grep -v /main.c) -o build/groups {flags}
for name in fork refused; do cc Tests/queues/$name.c -o build/$name {flags}; done
{"" if QUICK else "swift build --quiet --build-tests -j 2 --scratch-path .build"}
"""
    os.makedirs(os.path.join(COPY, "build"), exist_ok=True)
    result = subprocess.run(["bash", "-c", script], cwd=COPY)
    if result.returncode:
        sys.exit("the mutants cannot be built")


def programs():
    yield "groups", ["build/groups"]
    yield "fork", ["build/fork"]
    yield "refused", ["build/refused"]
    if not QUICK:
        yield "swift", [
            ".build/debug/SignalKitPackageTests.xctest", "--testing-library", "swift-testing", "--filter", SUITES
        ]


def limited():
    """A change may let threads be made without end."""
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))


def run(command, mutant, limit):
    """What has become of it, and in how many seconds."""
    begun = time.monotonic()
    environment = dict(os.environ, SIGNALKIT_MUTANT=str(mutant))
    process = subprocess.Popen(command,
                               cwd=COPY,
                               env=environment,
                               stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT,
                               start_new_session=True,
                               preexec_fn=limited)
    try:
        output, _ = process.communicate(timeout=limit)
        how = "passed" if process.returncode == 0 else "crashed" if process.returncode < 0 else "failed"
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        output, _ = process.communicate()
        how = "hung"
    return how, time.monotonic() - begun, output.decode(errors="replace")


def said(output):
    """The test that failed, or the one that was running."""
    found = re.search(r"\[ +FAILED +\] (\w+)|Test \"?(\w+)\(.*failed|(.*line \d+: .*)", output)
    if found: return next(filter(None, found.groups()))
    return next(iter(re.findall(r"\[ RUN +\] (\w+)", output)[-1:]), "")


def try_one(number, mutations, limits):
    for name, command in programs():
        how, _, output = run(command, number, limits[name])
        if how != "passed":
            return number, f"{how:8} {name:8} {said(output)[:80]}"
    return number, ""


def main():
    mutations = read()
    if sys.argv[1:] == ["--check"]:
        return check(mutations)
    if "BUILT" not in os.environ:
        make_copy(mutations)
        build()
    limits = {}
    for name, command in programs():
        how, seconds, output = run(command, 0, 600)
        if how != "passed":
            sys.exit(f"{name} has {how} without any change:\n{output[-3000:]}")
        limits[name] = 20 + 3 * seconds
        print(f"{name}: {seconds:.0f} s", flush=True)
    chosen = [int(number) for number in sys.argv[1:]] or [number for number in mutations if not mutations[number][4]]
    survivors = 0
    with ThreadPoolExecutor(2) as pool:
        for number, verdict in pool.map(lambda number: try_one(number, mutations, limits), chosen):
            file, _, old, new, _ = mutations[number]
            print(f"{number:3} {verdict or 'SURVIVES':60} {os.path.basename(file)}: {old} -> {new or 'nothing'}",
                  flush=True)
            survivors += not verdict
    print(f"{len(chosen) - survivors} passed, {survivors} failed; {len(mutations) - len(chosen)} not tried")
    sys.exit(survivors > 0)


if __name__ == "__main__":
    main()
