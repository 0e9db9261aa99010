#!/usr/bin/env python3
"""Checks that references between the files of the library point in one direction, and counts its concepts.

    floors.py [--record] [--types | --edges FROM TO]

The Swift compiler and clang write an index of all declarations and references. libIndexStore, a part of the Swift
toolchain, reads it. The symbol graph says which types are public. Tests/static/floors.tsv lists the floors, the
lowest first, and a ceiling for each count. A file may use its own floor and lower floors. A count may only fall:
`--record` lowers the ceilings. `--types` lists the types of the core that are not public, with their numbers of
users; `--edges` lists the names that files below FROM use of TO.
"""
import collections
import ctypes
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIMITS = ROOT / "Tests" / "static" / "floors.tsv"
CORE, LAYER = "Sources/SignalKitCore/", "Sources/SignalKitABI/"
C = "Sources/SignalKitABI/Support/", "Sources/SignalKitShims/"
TOOLCHAIN = pathlib.Path(shutil.which("swiftc")).resolve().parent.parent
INCLUDES = ["-Iinclude", "-ISources/SignalKitShims/include", "-ISources/SignalKitABI/Support/include"]
EMBEDDED = ["-D", "SIGNALKIT_LIBRARY", "-Osize", "-enable-experimental-feature", "Embedded"]
DEFINITION, REFERENCE, RECORD, TYPES = 2, 4, 2, (5, 6, 7, 8)  # of indexstore.h


class Text(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.data, self.length).decode() if self.length else ""


P, library = ctypes.c_void_p, ctypes.CDLL(str(TOOLCHAIN / "lib" / "libIndexStore.so"))


def call(name, *arguments, result=P):
    function = getattr(library, "indexstore_" + name)
    function.restype = result
    function.argtypes = [{bytes: ctypes.c_char_p, int: P, type(None): P}.get(type(a), type(a)) for a in arguments]
    return function(*arguments)


def each(name, reader, visit, argument=P):
    def one(_, thing):
        visit(thing)
        return True

    call(name, reader, None, ctypes.CFUNCTYPE(ctypes.c_bool, P, argument)(one))


def read(store, sources, defined, used):
    """Adds to `defined` (symbol -> file, name, kind) and to `used` (file -> symbols). The Swift compiler writes one
    record for each file, named after it. Units name the files of the records that clang writes."""
    handle, records = call("store_create", store.encode(), None), {}
    names = {os.path.basename(source): source for source in sources}
    for unit in pathlib.Path(store).glob("*/units/*"):
        reader = call("unit_reader_create", handle, unit.name.encode(), None)

        def note(dependency):
            path = os.path.relpath(str(call("unit_dependency_get_filepath", dependency, result=Text)), ROOT)
            if call("unit_dependency_get_kind", dependency, result=ctypes.c_int) == RECORD and path[:2] != "..":
                records[str(call("unit_dependency_get_name", dependency, result=Text))] = path

        each("unit_reader_dependencies_apply_f", reader, note)
    for record in pathlib.Path(store).glob("*/records/*/*"):
        path = names.get(record.name.rpartition("-")[0]) or records.get(record.name)
        if path is None or not path.startswith(("Sources/", "include/")):
            continue

        def occurrence(it):
            symbol, roles = call("occurrence_get_symbol", it), call("occurrence_get_roles", it, result=ctypes.c_uint64)
            usr = str(call("symbol_get_usr", symbol, result=Text))
            if roles & DEFINITION and not usr.startswith("s:e:"):  # an extension defines no type
                kind = call("symbol_get_kind", symbol, result=ctypes.c_int)
                defined[usr] = path, str(call("symbol_get_name", symbol, result=Text)), kind
            if roles & REFERENCE:
                used[path].add(usr)

        reader = call("record_reader_create", handle, record.name.encode(), None)
        each("record_reader_occurrences_apply_f", reader, occurrence)


def graph():
    defined, used = {}, collections.defaultdict(set)
    core, layer = ([str(p) for p in sorted(pathlib.Path(f).rglob("*.swift"))] for f in (CORE, LAYER))
    with tempfile.TemporaryDirectory() as made:
        swift = ["swiftc", "-wmo", "-parse-as-library", "-module-name", "SignalKit", "-swift-version", "5", *INCLUDES]
        for store, sources, flags in (f"{made}/embedded", core + layer, EMBEDDED), (f"{made}/ordinary", core, []):
            subprocess.run([*swift, *flags, "-typecheck", "-index-store-path", store, *sources], check=True)
            read(store, sources, defined, used)
        graph = ["-emit-symbol-graph", "-emit-symbol-graph-dir", made]
        subprocess.run([*swift, "-emit-module", "-emit-module-path", f"{made}/SignalKit.swiftmodule", *graph, *core],
                       check=True)
        for source in (source for folder in C for source in pathlib.Path(folder).rglob("*.c")):
            if source.name != "runtime.c":  # it replaces a part of the Swift runtime
                command = [TOOLCHAIN / "bin" / "clang", "-std=c11", "-D_GNU_SOURCE", "-DSGK_RUNTIME_FAST", *INCLUDES]
                command += ["-fsyntax-only", "-w", "-index-store-path", f"{made}/c", source]
                subprocess.run([str(word) for word in command], check=True)
        read(f"{made}/c", [], defined, used)
        symbols = json.loads(pathlib.Path(made, "SignalKit.symbols.json").read_text())["symbols"]
    return defined, used, {symbol["identifier"]["precise"] for symbol in symbols}


def knots(edges):
    """The sizes of the strongly connected components of more than one node, the largest first (Tarjan)."""
    index, low, stack, sizes = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(edges.get(node, ())):
            if other not in index:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == index[node]:
            part = stack[stack.index(node):]
            del stack[stack.index(node):]
            if len(part) > 1:
                sizes.append(part)

    for node in sorted(edges):
        if node not in index:
            visit(node)
    return sorted(sizes, key=len, reverse=True)


def main():
    os.chdir(ROOT)
    sys.setrecursionlimit(10000)
    lines = [line.split("\t") for line in LIMITS.read_text().splitlines() if line[0] != "#"]
    floors = [line[1:] for line in lines if line[0] == "floor"]
    defined, used, public = graph()
    why = collections.defaultdict(set)
    for file, symbols in used.items():
        for symbol in symbols & defined.keys():
            if defined[symbol][0] != file:
                why[file, defined[symbol][0]].add(defined[symbol][1])

    def floor(file):
        prefixes = ((prefix, i) for i, row in enumerate([["", ""], *floors]) for prefix in row[1].split(" "))
        return max((len(prefix), i) for prefix, i in prefixes if file.startswith(prefix))[1]

    upward = [(a, b) for a, b in sorted(why) if 0 < floor(a) < floor(b)]
    for a, b in upward:
        print(f"upward: {a} ({floors[floor(a) - 1][0]}) -> {b} ({floors[floor(b) - 1][0]}):", *sorted(why[a, b]))
    counts = {"upward references": len(upward)}
    for part, prefixes in ("core", (CORE,)), ("ABI layer", (LAYER,)), ("C parts", C):
        ends = ".swift" if part != "C parts" else (".c", ".h")
        edges, folders = collections.defaultdict(set), collections.defaultdict(set)
        for a, b in why:
            if a.startswith(prefixes) and b.startswith(prefixes) and a.endswith(ends) and b.endswith(ends):
                edges[a].add(b)
                folders["/".join(a.split("/")[:3])].add("/".join(b.split("/")[:3]))
        found = knots(edges)
        for knot in found:
            print(f"knot of the {part}, {len(knot)} files:", *(os.path.basename(file) for file in sorted(knot)))
        counts[f"largest knot of the {part}"] = len(found[0]) if found else 0
        if part != "C parts":
            pairs = [f"{a} <-> {b}" for a in sorted(folders) for b in folders[a] if a < b and a in folders.get(b, ())]
            print(*(f"pair: {pair}" for pair in pairs), sep="\n")
            counts[f"pairs of folders of the {part}"] = len(pairs)
    hidden = {s: d for s, d in defined.items() if d[0].startswith(CORE) and s not in public}
    types = {s: d for s, d in hidden.items() if d[2] in TYPES and s[:2] == "s:"}
    users = {s: {f for f in used if s in used[f] and f.startswith(CORE)} - {d[0]} for s, d in types.items()}
    counts["types of the core that are not public"] = len(types)
    counts["of these used outside of their file"] = sum(map(bool, users.values()))
    rows = re.findall(r"^\| .*", (ROOT / "docs/development/concepts.md").read_text(), re.M)
    counts["terms of the glossary"] = sum(row.split("|")[1].count("`") // 2 for row in rows)
    there = ["/" + str(file.relative_to(ROOT)) for folder in ("Sources", "Tests", "benchmarks")
             for file in (ROOT / folder).rglob("*.*")]
    named = {name for page in (ROOT / "docs/development").glob("*.md")
             for name in re.findall(r"`([\w+/]+\.(?:swift|[chS]))`", page.read_text())}
    missing = sorted(name for name in named if not any(file.endswith("/" + name) for file in there))
    print(*(f"docs/development names {name}, which does not exist" for name in missing), sep="\n")
    counts["missing files in docs/development"] = len(missing)
    if "--types" in sys.argv:
        for symbol, (file, name, _) in sorted(types.items(), key=lambda item: -len(users[item[0]])):
            print(len(users[symbol]), name, file, sep="\t")
    if "--edges" in sys.argv:
        a_prefix, b_prefix = sys.argv[sys.argv.index("--edges") + 1:][:2]
        for a, b in sorted(why):
            if a.startswith(a_prefix) and b.startswith(b_prefix):
                print(f"{a} -> {b}:", *sorted(why[a, b]))
    failed = False
    for line in lines:
        if line[0] == "ceiling":
            count, ceiling = counts.pop(line[1]), int(line[2])
            print(f"{line[1]}: {count}" + f" (ceiling {ceiling})" * (count != ceiling))
            failed |= count > ceiling
            line[2] = str(min(count, ceiling))
    if "--record" in sys.argv:
        text = [line for line in LIMITS.read_text().splitlines() if line[0] == "#"]
        LIMITS.write_text("\n".join(text + ["\t".join(line) for line in lines]) + "\n")
    if failed or counts:
        sys.exit(f"above its ceiling, or without one: {LIMITS.relative_to(ROOT)} {list(counts) or ''}")


main()
