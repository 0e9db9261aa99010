#!/usr/bin/env python3
"""Mutation tests: changes the library in one small way at a time, and expects a failing test for each change.

    scripts/mutate.py              tries all changes: those of scripts/mutations.tsv and those of scripts/mutations.py
    scripts/mutate.py NUMBER…      tries these changes
    BUILT=1 scripts/mutate.py …    uses the existing build, and tries the changes that have no verdict
    EVERY=8 scripts/mutate.py      tries every eighth change
    scripts/mutate.py --take       copies the verdicts to scripts/survivors.tsv and docs/mutants.tsv
    scripts/mutate.py --check      only checks that the sources contain the old texts of mutations.tsv

One build contains all changes, in a copy of the sources. SIGNALKIT_MUTANT selects one when a test program starts. First
each test of the C suite runs alone, which finds the changes that it reaches and its duration. Some groups also run in
debug mode. Then the tests that reach a change run with it, the quick ones first, until one fails, crashes or takes far
longer. First many tests run in one process, then each in a separate process. Last are the Swift suites (with SWIFT=1,
because their build is slow), and some programs and steps that need a separate process.

A line of mutations.tsv has the file (Swift or C), a preceding text, the old text after it, the new text, and a reason.
If the old text is a full line, both texts are statements, and the new one may be empty. Otherwise both are expressions.
A surviving change needs a test, or a reason in the last column, and then it is not tried. survivors.tsv lists the
surviving proposed changes in the same form. Those without a reason are tried each time. --take removes lines whose
change is no longer proposed. build/mutants/verdicts.tsv contains the verdict of each change."""

import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from threading import Lock

from mutations import ROOT, Change, files, listed, located, proposed, row_of, source

COPY = os.path.join(ROOT, "build", "mutants")
WITHOUT = os.path.join(COPY, "without.tsv") # the changes that do not compile
CHANGES = os.path.join(COPY, "changes.json")
REACHED = os.path.join(COPY, "reached.json")
SURVIVORS = os.path.join(ROOT, "scripts", "survivors.tsv")
COPIED = r"(Sources|include|Tests|scripts|tools/sgk-top|make)/|bindings/python/(guard[.]c|src/)|Makefile|Package"
VERDICTS = os.path.join(COPY, "verdicts.tsv")
FIRST = 1001  # the number of the first proposed change
SWIFT = "SWIFT" in os.environ
ROUNDS = {"SUITE_ROUNDS": "20000"}  # shortens long tests

HEADER = """
#ifndef SGK_MUTANT_H
#define SGK_MUTANT_H
#include <stdbool.h>
extern int sgk_mutant;
extern unsigned char *sgk_reached;
static inline bool sgk_at(int number) { sgk_reached[number] = 1; return sgk_mutant == number; }
#endif
"""
CHOICE = """
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
int sgk_mutant;
static unsigned char nowhere[1 << 16];
unsigned char *sgk_reached = nowhere;
__attribute__((constructor)) static void choose_mutant(void) {
    const char *chosen = getenv("SIGNALKIT_MUTANT"), *path = getenv("SIGNALKIT_REACHED");
    if (chosen) sgk_mutant = atoi(chosen);
    int file = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (file < 0 || ftruncate(file, sizeof nowhere) != 0) return;
    void *seen = mmap(NULL, sizeof nowhere, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (seen != MAP_FAILED) sgk_reached = seen;
    close(file);
}
"""
# Replaces two functions of cmocka. The one that runs a group runs the selected tests with a time limit each. The one
# that fails a test ends the program, because the rest of the test could wait without end.
RUNNER = """
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
void _fail(const char *file, int line) {
    printf("line %d: %s\\n", line, file);
    fflush(stdout);
    _exit(1);
}
int run_chosen(const char *group, const struct CMUnitTest *tests, size_t count, CMFixtureFunction setup,
               CMFixtureFunction teardown) {
    const char *path = getenv("SIGNALKIT_TESTS");
    for (size_t i = 0; i < count; i++) {
        char name[256], wanted[256];
        double limit = 0, its;
        snprintf(name, sizeof name, "%s/%s", group, tests[i].name);
        for (char *space; (space = strchr(name, ' ')) != NULL;) *space = '_';
        if (!path) {
            puts(name);
            continue;
        }
        FILE *file = fopen(path, "re");
        while (fscanf(file, "%255s %lf", wanted, &its) == 2) if (strcmp(wanted, name) == 0) limit = its;
        fclose(file);
        if (limit == 0) continue;
        timer_t timer;
        struct sigevent end = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
        timer_create(CLOCK_MONOTONIC, &end, &timer);
        timer_settime(timer, 0, &(struct itimerspec){.it_value = {(time_t)limit, 0}}, NULL);
        if (_cmocka_run_group_tests(group, &tests[i], 1, setup, teardown) != 0) _exit(1);
        timer_delete(timer);
    }
    return 0;
}
"""


# ---- The build with all changes ----


def mutated(path, text, changes):
    """The text with all the changes in it, each behind its number."""
    places = {}
    for number, change in changes.items():
        places.setdefault((change.start, change.end), []).append((number, change.new))
    spans = sorted(places)
    for one, other in zip(spans, spans[1:]):
        if other[0] < one[1]:
            sys.exit(f"mutations.tsv: {places[one]} and {places[other]} overlap")
    for start, end in reversed(spans):
        old = text[start:end]
        line_start, line_end = text.rfind("\n", 0, start) + 1, text.find("\n", end)
        is_line = not text[line_start:start].strip() and not text[end:line_end].strip()
        for number, new in places[start, end]:
            if not new:
                old = f"if (!sgk_at({number})) {{ {old} }}"
                old = f"{{ {old} }}" if path.endswith(".c") else old
            elif is_line:
                old = f"if (sgk_at({number})) {{ {new} }} else {{ {old} }}"
            else:
                old = f"(sgk_at({number}) ? ({new}) : ({old}))"
        text = text[:start] + old + text[end:]
    if path.endswith(".c"):
        return '#include "sgk_mutant.h"\n#line 1\n' + text
    return text if "import SignalKitShims" in text else "import SignalKitShims; " + text


def all_changes(without):
    """The listed and the proposed changes by number, without duplicates and changes that do not compile."""
    rows = listed()
    changes = located(rows)
    lines = set()
    for change in changes.values():
        text = source(change.path)
        lines |= {(change.path, line) for line in range(text.count("\n", 0, change.start),
                                                        text.count("\n", 0, change.end) + 1)}
    number = FIRST
    for path in files():
        text = source(path)
        for change in proposed(path):
            if (path, text.count("\n", 0, change.start)) not in lines and row_of(change) not in without:
                changes[number] = change
            number += 1
    return rows, changes


def by_file(changes):
    found = {}
    for number, change in changes.items():
        found.setdefault(change.path, {})[number] = change
    return found


def write(path, text):
    """Writes only changed files, so that the others are not compiled again."""
    if os.path.exists(path):
        with open(path) as file:
            if file.read() == text:
                return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def make_copy(changes):
    changed = by_file(changes)
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, stdout=subprocess.PIPE, check=True, text=True).stdout
    kept = set()
    for path in filter(None, names.split("\0")):
        if not re.match(COPIED, path):
            continue
        try:
            with open(os.path.join(ROOT, path)) as file:
                text = file.read()
        except (UnicodeDecodeError, FileNotFoundError):
            continue
        name = path.removeprefix("Sources/")
        if name in changed:
            text = mutated(name, text, changed[name])
        if name == "SignalKitShims/shims.c":
            text += CHOICE
        elif name == "SignalKitShims/include/SignalKitShims.h":
            text = '#include "sgk_mutant.h"\n' + text
        write(os.path.join(COPY, path), text)
        shutil.copymode(os.path.join(ROOT, path), os.path.join(COPY, path))
        kept.add(path)
    header = "Sources/SignalKitShims/include/sgk_mutant.h"
    write(os.path.join(COPY, header), HEADER)
    kept.add(header)
    for folder in ("Sources", "Tests"):
        for place, _, names in os.walk(os.path.join(COPY, folder)):
            for name in names:
                if os.path.relpath(os.path.join(place, name), COPY) not in kept:
                    os.remove(os.path.join(place, name))
    write(os.path.join(COPY, "runner.c"), RUNNER)


BUILD = """set -e
unset WERROR # a change may leave something unused
make --no-print-directory -k lib
cc -c -std=c11 -D_GNU_SOURCE runner.c -o build/runner.o
flags="-std=c11 -D_GNU_SOURCE -g -Iinclude -Lbuild/embedded/lib -lsignalkit -lcmocka -lpthread -lm -ldl
    -rdynamic -Wl,-rpath,$PWD/build/embedded/lib"
mkdir -p build/tests
for source in Tests/C/*.c; do
    made=build/tests/$(basename $source).o
    [ $made -nt $source ] ||
        cc -c -D_cmocka_run_group_tests=run_chosen -std=c11 -D_GNU_SOURCE -g -Iinclude $source -o $made
done
cc build/tests/*.o build/runner.o -o build/suite $flags
for name in queues/fork queues/refused memory/memory processes/ends processes/limits; do
    cc Tests/$name.c -o build/${name#*/} $flags
done
cc Tests/processes/fork.c -o build/children $flags
cc "-DEXAMPLES(X)=" Tests/torture/*.c -o build/torture $flags
"""
BUILD_SWIFT = "swift build --quiet --build-tests -j 2 --scratch-path .build\n"


def refused(output, changes):
    """The proposed changes in the lines of compiler errors, or in the line before. (Some errors are reported at the end
    of a function.)"""
    for path, line in set(re.findall(r"Sources/(\S+?\.(?:swift|c)):(\d+):\d+: error", output)):
        text = source(path)
        before = [number for number, change in by_file(changes).get(path, {}).items()
                  if number >= FIRST and text.count("\n", 0, change.start) < int(line)]
        yield from before[-1:]


def left_out():
    if not os.path.exists(WITHOUT):
        return set()
    with open(WITHOUT) as file:
        return set(file.read().splitlines())


def build():
    """Until the compilers take all the changes: some that are proposed are none to them."""
    without = left_out()
    os.makedirs(os.path.join(COPY, "build"), exist_ok=True)
    while True:
        rows, changes = all_changes(without)
        make_copy(changes)
        result = subprocess.run(["bash", "-c", BUILD + (BUILD_SWIFT if SWIFT else "")], cwd=COPY, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if result.returncode == 0:
            write(CHANGES, json.dumps(changes))
            break
        wrong = set(refused(result.stdout, changes))
        if not wrong:
            sys.exit(f"{result.stdout[-6000:]}\nthe mutants cannot be built")
        print(f"left out, as they cannot be compiled: {' '.join(map(str, sorted(wrong)))}", flush=True)
        without |= {row_of(changes[number]) for number in wrong}
        write(WITHOUT, "".join(row + "\n" for row in sorted(without)))
    return rows, changes


# ---- The tests ----


def limited():
    """A change may let threads be made without end."""
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))


def run(command, mutant, limit, **variables):
    """The result and its duration in seconds."""
    begun = time.monotonic()
    environment = dict(os.environ, SIGNALKIT_MUTANT=str(mutant), WERROR="no", **ROUNDS, **variables)
    process = subprocess.Popen(command, cwd=COPY, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=limited)
    try:
        output, _ = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        process.returncode = -signal.SIGKILL
        output = b""
    try:
        os.killpg(process.pid, signal.SIGKILL) # what it has left
    except ProcessLookupError:
        pass
    if not output:
        output, _ = process.communicate()
    code = process.returncode
    how = {0: "passed", -signal.SIGKILL: "hung"}.get(code, "crashed" if code < 0 else "failed")
    return how, time.monotonic() - begun, output.decode(errors="replace")


def run_tests(limits, mutant, **variables):
    """Some tests of one kind: of the C suite, each with its limit, or suites in Swift, with one for all of them."""
    kind = kind_of(next(iter(limits)))
    if kind == IN_SWIFT:
        pattern = "|".join(re.escape(name) for name in limits)
        return run([SWIFT_TESTS, "--testing-library", "swift-testing", "--filter", f"({pattern})/"], mutant,
                   sum(limits.values()), **variables)
    with tempfile.NamedTemporaryFile("w") as file:
        file.writelines(f"{name.removeprefix(DEBUGGED)} {int(limit)}\n" for name, limit in limits.items())
        file.flush()
        if kind == IN_DEBUG_MODE:
            variables["SIGNALKIT_DEBUG"] = "1"
        return run(["build/suite"], mutant, 600, SIGNALKIT_TESTS=file.name, **variables)


def run_alone(name):
    """The duration and the changes that it reaches; None if it fails."""
    with tempfile.NamedTemporaryFile() as file:
        how, seconds, output = run_tests({name: 300}, 0, SIGNALKIT_REACHED=file.name)
        reached = [number for number, seen in enumerate(file.read()) if seen]
    if how == "passed":
        return seconds, reached
    print(f"{name} has {how} without any change, and is not used:\n{output[-1000:]}", flush=True)


def all_tests():
    _, _, output = run(["build/suite"], 0, 60)
    suites = set()
    for place, _, names in os.walk(os.path.join(COPY, "Tests", "SignalKitTests")) if SWIFT else ():
        for name in names:
            with open(os.path.join(place, name)) as file:
                text = file.read()
            if "@Test" in text:
                suites |= set(re.findall(r"^(?:@\w+(?:\(.*\))? )*(?:final )?(?:struct|class) (\w+)", text, flags=re.M))
    names = output.split()
    debugged = [DEBUGGED + name for name in names if name.split("/")[0] in DEBUGGED_GROUPS]
    return names + debugged + [f".{suite}" for suite in sorted(suites)]


def reached_by():
    """The duration of each test alone, and the tests that reach each change."""
    names, times, reached = all_tests(), {}, {}
    with ThreadPoolExecutor(2) as pool:
        for name, found in zip(names, pool.map(run_alone, names)):
            if found:
                times[name] = found[0]
                for number in found[1]:
                    reached.setdefault(number, []).append(name)
    return times, reached


# The kinds of tests, in the order in which they run.
PLAIN, IN_DEBUG_MODE, IN_SWIFT = range(3)
DEBUGGED, DEBUGGED_GROUPS = "debug:", {"values", "giving", "misuse", "dump", "sight", "inspect"}


def kind_of(name):
    return IN_SWIFT if name[0] == "." else IN_DEBUG_MODE if name.startswith(DEBUGGED) else PLAIN


# Programs that need a separate process: the command, and the files whose changes it can detect. Steps run one at a
# time, because they use fixed paths.
PROGRAMS = {name: ([f"build/{name}"], "") for name in ("fork", "refused", "memory", "children", "ends", "limits")} | {
    "torture": (["build/torture", "50", "typed"], "ABI/Support/"),
    "observed": (["scripts/step.sh", "observed"], "Sight/|ABI/Support/|Shims/sight"),
    "leak_report": (["scripts/step.sh", "leak_report"], "ABI/Support/"),
    "live_view": (["scripts/step.sh", "live_view"], "ABI/Support/inspect"),
}
STEPS = Lock()
SWIFT_TESTS = ".build/debug/SignalKitPackageTests.xctest"


def said(output):
    """The test that failed, or the one that was running."""
    began = re.findall(r"\[ RUN +\] (\w+)", output)
    if began: return began[-1]
    found = re.search(r"Test \"?(\w+)\(.*failed|(line \d+: .*)", output)
    return next(filter(None, found.groups())) if found else ""


def batches(tests, times):
    """Those of a kind together, the quick ones first, each with its limit."""
    batch, total, most, kind = {}, 0.0, 0.3, PLAIN
    for name in sorted(tests, key=lambda name: (kind_of(name), times[name])):
        if batch and (total > most or kind_of(name) != kind):
            yield batch
            batch, total, most = {}, 0.0, 3 * most
        kind = kind_of(name)
        batch[name] = 4 + 20 * times[name]
        total += times[name]
    if batch:
        yield batch


def run_program(name, mutant, limit):
    command, _ = PROGRAMS[name]
    with STEPS if command[0] == "scripts/step.sh" else nullcontext():
        return run(command, mutant, limit)


def try_one(number, path, times, reached, limits):
    tests = reached.get(number, [])
    for batch in batches(tests, times):
        how, _, output = run_tests(batch, number)
        if how != "passed":
            return number, how, said(output)
    # Earlier tests in the process can hide a failure, for example by their threads: run each test alone.
    for name in tests:
        if kind_of(name) != IN_SWIFT:
            how, _, output = run_tests({name: 4 + 20 * times[name]}, number)
            if how != "passed":
                return number, how, said(output)
    for name, limit in limits.items():
        if not re.search(PROGRAMS[name][1], path):
            continue
        how, _, output = run_program(name, number, limit)
        if how != "passed":
            return number, how, f"{name} {said(output)}".strip()
    return number, "survives" if tests else "unreached", ""


def main():
    if sys.argv[1:] == ["--check"]:
        for path, changes in by_file(located(listed())).items():
            mutated(path, source(path), changes)
        return
    if sys.argv[1:] == ["--take"]:
        return take()
    if "BUILT" in os.environ:
        rows = listed()
        with open(CHANGES) as file:
            changes = {int(number): Change(*change) for number, change in json.load(file).items()}
        with open(REACHED) as file:
            times, reached = json.load(file)
        with open(VERDICTS) as file:
            known = {"\t".join(line.split("\t")[:4]) for line in file}
    else:
        rows, changes = build()
        times, reached = reached_by()
        write(REACHED, json.dumps([times, reached]))
        write(VERDICTS, "file\tbehind\told\tnew\tverdict\ttest\n")
        known = set()
    reached = {int(number): names for number, names in reached.items()}
    print(f"{len(times)} tests of the C suite: {sum(times.values()):.0f} s", flush=True)
    limits = {}
    for name in PROGRAMS:
        how, seconds, output = run_program(name, 0, 300)
        if how == "passed":
            limits[name] = 20 + 3 * seconds
        else:
            print(f"{name} has {how} without any change, and is not used:\n{output[-1000:]}")
        print(f"{name}: {seconds:.0f} s", flush=True)
    survivors = known_survivors()
    reasons = {number for number, change in changes.items()
               if number in rows and rows[number][4] or survivors.get(row_of(change))}
    chosen = [int(number) for number in sys.argv[1:] if int(number) in changes] or [
        number for number in changes if number not in reasons and row_of(changes[number]) not in known]
    chosen = chosen[::int(os.environ.get("EVERY", 1))]
    counts = {"passed": 0, "failed": 0, "known": 0}
    with open(VERDICTS, "a") as verdicts, ThreadPoolExecutor(2) as pool:
        for number, how, test in pool.map(
                lambda number: try_one(number, changes[number].path, times, reached, limits), chosen):
            row = row_of(changes[number])
            survives = how in ("survives", "unreached")
            counts["passed" if not survives else "known" if row in survivors else "failed"] += 1
            print(f"{number:4} {how:9} {row if survives else test[:60]}", flush=True)
            verdicts.write(f"{row}\t{how}\t{test}\n")
            verdicts.flush()
    print(f"{counts['passed']} passed, {counts['failed']} failed; {counts['known']} survive and are known to; "
          f"{len(changes) - len(chosen)} not tried")
    sys.exit(counts["failed"] > 0)


# ---- Known survivors ----


def known_survivors():
    """The reasons of surviving proposed changes, by their lines; empty without a reason."""
    if not os.path.exists(SURVIVORS):
        return {}
    with open(SURVIVORS) as file:
        return dict(line.rstrip("\n").rsplit("\t", 1) for line in file.readlines()[1:])


def take():
    rows, changes = all_changes(left_out())
    survivors, counts = known_survivors(), {}
    with open(VERDICTS) as file:
        verdicts = {"\t".join(cells[:4]): cells[4] for cells in (line.split("\t") for line in file)}
    kept = {}
    for number, change in changes.items():
        row = row_of(change)
        reason = rows[number][4] if number in rows else survivors.get(row)
        verdict = verdicts.get(row)
        if verdict is None and not reason:
            continue
        if verdict not in (None, "survives", "unreached"):
            kind = "killed"
        else:
            kind = "reasons" if reason else "survive"
        if number >= FIRST and kind != "killed":
            kept[row] = reason or ""
        folders = change.path.split("/")[:-1]
        part = counts.setdefault("/".join(folders[:2]), {"tried": 0, "killed": 0, "reasons": 0, "survive": 0})
        part["tried"] += 1
        part[kind] += 1
    write(SURVIVORS, "file\tbehind\told\tnew\treason\n" + "".join(
        f"{row}\t{reason}\n" for row, reason in sorted(kept.items())))
    write(os.path.join(ROOT, "docs", "mutants.tsv"), "part\ttried\tkilled\treasons\tsurvive\n" + "".join(
        "\t".join([part, *map(str, numbers.values())]) + "\n" for part, numbers in sorted(counts.items())))


if __name__ == "__main__":
    main()
