#!/usr/bin/env python3
"""Compiles and runs every C, C++ and Swift example in the documents, and the Swift ones in comments
(scripts/comments.py), against what is installed in build/prefix and this package by its path.

An example's output is compared with the comment "prints …" that follows it, if there is one."""
import os, pathlib, re, shutil, subprocess, sys

import comments

root = pathlib.Path(__file__).resolve().parent.parent
work = root / "build" / "readme"
shutil.rmtree(work, ignore_errors=True)
prefix = root / "build" / "prefix"
environment = dict(os.environ, PKG_CONFIG_PATH=str(prefix / "lib" / "pkgconfig"))


def run(*command, **options):
    return subprocess.run(command, check=True, text=True, env=environment, capture_output=True, **options).stdout


def examples(language):
    catalog = root / "Sources" / "SignalKit" / "SignalKit.docc"
    for document in [root / "README.md", *sorted((root / "docs").glob("*.md")), *sorted(catalog.glob("*.md"))]:
        text = document.read_text()
        for number, match in enumerate(
                re.finditer(rf"^```{language}\n(.*?)^```$(.*?)(?=^```|\Z)", text, flags=re.S | re.M)):
            prints = re.search(r"# prints (.*)", match.group(2))
            yield document.stem.lower() + str(number), match.group(1), prints.group(1).split(", ") if prints else None


def check(name, output, expected):
    print(name, output.split())
    if expected and output.split() != expected:
        sys.exit(f"{name} printed {output.split()}, not {expected}")


flags = run("pkg-config", "--cflags", "--libs", "signalkit").split()
count = 0
for language, *compiler in ("c", "cc", "-std=c11"), ("cpp", "g++", "-std=c++17"):
    for name, code, expected in examples(language):
        if "#include" not in code:  # a piece of a program: scripts/guide.py sees to those
            continue
        work.mkdir(parents=True, exist_ok=True)
        source = work / f"{name}.{language}"
        program = str(work / f"{name}-{language}")
        source.write_text(code)
        run(*compiler, "-Wall", "-Wextra", "-Wpedantic", "-Werror", str(source), "-o", program, *flags,
            f"-Wl,-rpath,{prefix}/lib")
        check(f"{name}.{language}", run(program), expected)
        count += 1

package = work / "package"
whole = [example for example in examples("swift") if "import " in example[1]]  # the pieces: scripts/operators.py
swift = [*whole, *((template.stem, code, None) for template, code in comments.programs("swift"))]
targets = []
for name, code, _ in swift:
    folder = package / "Sources" / name
    folder.mkdir(parents=True)
    (folder / "main.swift").write_text(code)
    targets.append(
        f'.executableTarget(name: "{name}", dependencies: [.product(name: "SignalKit", package: "{root.name}"), '
        f'.product(name: "SignalKitTesting", package: "{root.name}")])'
    )
(package / "Package.swift").write_text(
    '// swift-tools-version: 6.0\nimport PackageDescription\nlet package = Package(name: "readme", dependencies: '
    '[.package(path: "'
    + str(root) + '")], targets: [' + ", ".join(targets) + "])\n")
# (Other packages are built in the same place: a plan that is kept may be theirs.)
run("swift", "build", "--disable-build-manifest-caching", "--package-path", str(package), "--scratch-path",
    str(root / ".build-examples"))
for name, _, expected in swift:
    check(name, run(str(root / ".build-examples" / "debug" / name)), expected)
    count += 1
print(count, "examples")
sys.exit(0 if count >= 3 else "no examples found")
