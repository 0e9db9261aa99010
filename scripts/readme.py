#!/usr/bin/env python3
"""Compiles and runs every C, C++ and Swift example in the documents, and the Swift ones in comments
(scripts/comments.py), against what is installed in build/prefix and this package by its path: `readme.py`, or
`readme.py c cpp` those in some languages.

What an example prints is compared with the block ```output behind it (or behind the commands that run it), or the words
of the comment "prints …" that follows it, if there is one. Those in C and C++ leave nothing alive. A piece of C in
README.md stands in a program of examples/c/front; a page of the cookbook has a program in C that says what it prints,
and a row in docs/cookbook.md.

In the guide for Swift (SignalKit.docc) each block is run: one that imports nothing goes on with the program before it,
one that imports Testing is a file of tests, and every other program says what it prints, of which times, threads and
the names of files may be others. (The manifest there: the step swift_as_printed.)"""
import os, pathlib, re, shutil, subprocess, sys

import comments

root = pathlib.Path(__file__).resolve().parent.parent
catalog = root / "Sources" / "SignalKit" / "SignalKit.docc"
work = root / "build" / "readme"
shutil.rmtree(work, ignore_errors=True)
prefix = root / "build" / "prefix"
environment = dict(os.environ, PKG_CONFIG_PATH=str(prefix / "lib" / "pkgconfig"), SIGNALKIT_DEBUG="leaks")
languages = sys.argv[1:] or ["c", "cpp", "swift"]


def run(*command):
    done = subprocess.run(command, text=True, env=environment, capture_output=True)
    if done.returncode: sys.exit(f"{' '.join(command)}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def examples(language):
    """Of each its name, its document, its text, and what it prints: all of that, or the last words."""
    docs = root / "docs"
    pages = [sorted(folder.glob("*.md")) for folder in (docs, docs / "cookbook", catalog)]
    for document in [root / "README.md", *(page for found in pages for page in found)]:
        block = rf"^```{language}\n(.*?)^```$(?:\n\n^```sh\n[^`]*^```$)?(?:\n\n^```output\n(.*?)^```$)?"
        block += r".*?(?=^```|\Z)"
        for number, match in enumerate(re.finditer(block, document.read_text(), flags=re.S | re.M)):
            words = re.search(r"# prints (.*)", match[0].partition("\n```")[2])
            name = re.sub(r"\W", "_", f"{document.parent.stem}_{document.stem}{number}".lower())
            yield name, document, match[1], match[2] or (words and words[1].split(", "))


def masked(text):
    """Without what is another in each run: of a trace the time and the thread, of a graph all times; the file's name;
    and without spaces that nobody sees."""
    for changing in r"\w+(?=/main\.swift)", r"\d+\.\d+ \[\d+\](?= )", r"\d\.\d+(?= s,)", r"(?<=thread )\d+", r" +$":
        text = re.sub(changing, "", text, flags=re.M)
    return text


def check(name, output, expected):
    print(name, output.split())
    if expected and expected != output.split() and masked(str(expected)) != masked(output):
        sys.exit(f"{name} printed:\n{output}not:\n{expected}")


def swift_programs():
    """Of each its name, its text, and what it prints."""
    programs = []
    for name, document, code, expected in examples("swift"):
        if "import PackageDescription" in code: continue
        if "import " in code:
            programs.append([name, code, expected])
        elif document.parent == catalog:
            program = programs[-1]
            program[1:] = f"{program[1]}\n{code}", (program[2] or "") + (expected or "")
        if document.parent == catalog and not programs[-1][2] and not is_tested(code):
            sys.exit(f"{document.name} does not say what this prints:\n{code}")
    return programs


def is_tested(code): return "import Testing\n" in code


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
swift = [*swift_programs(), *((template.stem, code, None) for template, code in comments.programs("swift"))]
products = [f'.product(name: "{name}", package: "{root.name}")' for name in ("SignalKit", "SignalKitTesting")]
targets = []
for name, code, _ in swift:
    kind, folder, file = ("testTarget", "Tests", name) if is_tested(code) else ("executableTarget", "Sources", "main")
    (package / folder / name).mkdir(parents=True)
    (package / folder / name / f"{file}.swift").write_text(code)
    targets.append(f'.{kind}(name: "{name}", dependencies: [{", ".join(products)}])')
(package / "Package.swift").write_text(
    '// swift-tools-version: 6.0\nimport PackageDescription\nlet package = Package(name: "readme", dependencies: '
    '[.package(path: "'
    + str(root) + '")], targets: [' + ", ".join(targets) + "])\n")
# (Other packages are built in the same place: a plan that is kept may be theirs.)
scratch = root / ".build-examples"
said = run("swift", "build", "--build-tests", "--disable-build-manifest-caching", "--package-path", str(package),
    "--scratch-path", str(scratch))
if re.search(rf"^{re.escape(str(package))}/.*: warning: ", said, flags=re.M): sys.exit(said)
environment = {name: value for name, value in environment.items() if not name.startswith("SIGNALKIT_")}
for name, code, expected in swift:
    if is_tested(code): continue
    check(name, run(str(scratch / "debug" / name)), expected)
    count += 1
tests = sum(code.count("@Test ") for _, code, _ in swift)
said = run(str(scratch / "debug" / "readmePackageTests.xctest"), "--testing-library", "swift-testing")
print(said)
if f"run with {tests} tests" not in said: sys.exit(f"there are {tests} tests")
print(count + tests, "examples")
