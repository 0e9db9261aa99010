#!/usr/bin/env python3
"""Compiles and runs every C, C++ and Swift example in the documents, and the Swift ones in comments
(scripts/comments.py), against what is installed in build/prefix and this package by its path: `readme.py`, or
`readme.py c cpp` those in some languages.

What an example prints is compared with the block ```output behind it, or the words of the comment "prints …" that
follows it, if there is one. Those in C and C++ leave nothing alive. A piece of C in README.md stands in a program of
examples/c/front; a page of the cookbook has a program in C that says what it prints, and a row in docs/cookbook.md."""
import os, pathlib, re, shutil, subprocess, sys

import comments

root = pathlib.Path(__file__).resolve().parent.parent
work = root / "build" / "readme"
shutil.rmtree(work, ignore_errors=True)
prefix = root / "build" / "prefix"
environment = dict(os.environ, PKG_CONFIG_PATH=str(prefix / "lib" / "pkgconfig"), SIGNALKIT_DEBUG="leaks")
languages = sys.argv[1:] or ["c", "cpp", "swift"]


def run(*command, **options):
    return subprocess.run(command, check=True, text=True, env=environment, capture_output=True, **options).stdout


def examples(language):
    """Of each its name, its document, its text, and what it prints: all of that, or the last words."""
    docs, catalog = root / "docs", root / "Sources" / "SignalKit" / "SignalKit.docc"
    pages = [sorted(folder.glob("*.md")) for folder in (docs, docs / "cookbook", catalog)]
    for document in [root / "README.md", *(page for found in pages for page in found)]:
        block = rf"^```{language}\n(.*?)^```$(?:\n\n^```output\n(.*?)^```$)?(.*?)(?=^```|\Z)"
        for number, match in enumerate(re.finditer(block, document.read_text(), flags=re.S | re.M)):
            words = re.search(r"# prints (.*)", match[3])
            name = re.sub(r"\W", "_", f"{document.stem.lower()}{number}")
            yield name, document, match[1], match[2] or (words and words[1].split(", "))


def check(name, output, expected):
    print(name, output.split())
    if expected and expected != (output if isinstance(expected, str) else output.split()):
        sys.exit(f"{name} printed:\n{output}not:\n{expected}")


index = (root / "docs" / "cookbook.md").read_text()
for page in (root / "docs" / "cookbook").glob("*.md"):
    text = page.read_text()
    others = ", ".join(name for name in ("Python", "Swift") if f"```{name.lower()}\n" in text)
    link = re.escape(f"[{text.splitlines()[0].removeprefix('# ')}](cookbook/{page.name})")
    if not re.search(rf"^\| {link} \| [^|]* \| ?{others} \|$", index, flags=re.M):
        sys.exit(f"docs/cookbook.md does not have {page.name}, by its title, or not that it is also in: {others}")
    if not any(document == page and isinstance(expected, str) for _, document, _, expected in examples("c")):
        sys.exit(f"{page.name} has no program in C that says what it prints")

flags = run("pkg-config", "--cflags", "--libs", "signalkit").split()
front = "".join(path.read_text() for path in sorted((root / "examples" / "c" / "front").glob("*.c")))
count = 0
for language, *compiler in ("c", "cc", "-std=c11"), ("cpp", "g++", "-std=c++17"):
    for name, document, code, expected in examples(language) if language in languages else ():
        if "#include" not in code:  # a piece of a program; those of the guide: scripts/guide.py
            if document.name == "README.md" and "\n" + code not in front:
                sys.exit(f"README.md: not in examples/c/front:\n{code}")
            continue
        work.mkdir(parents=True, exist_ok=True)
        source = work / f"{name}.{language}"
        program = str(work / f"{name}-{language}")
        source.write_text(code)
        run(*compiler, "-Wall", "-Wextra", "-Wpedantic", "-Werror", str(source), "-o", program, *flags,
            f"-Wl,-rpath,{prefix}/lib")
        done = subprocess.run([program], env=environment, text=True, capture_output=True)
        if done.returncode or done.stderr: sys.exit(f"{name}: {done.returncode}\n{done.stderr}")
        check(f"{name}.{language}", done.stdout, expected)
        count += 1
if "swift" not in languages:
    sys.exit(print(count, "examples"))

package = work / "package"
whole = [(name, code, expected) for name, _, code, expected in examples("swift") if "import " in code]
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
