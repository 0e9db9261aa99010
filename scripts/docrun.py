#!/usr/bin/env python3
"""Runs the code in documents, and compares its output with the documents.

    docrun.py programs [LANGUAGE…]         whole programs in c, cpp and swift (default: all), in documents; pieces; the
                                           cookbook's index; in Swift also the examples in comments
    docrun.py python DIRECTORY [PYTHON]    writes the programs in Python there, and runs those with an output
    docrun.py comments [TOOLS…]            examples in comments of the headers, in C and C++
    docrun.py guide [TOOLS…]               docs/guide.md and docs/guide-cpp.md against the programs of examples/c/guide
                                           and examples/cpp/guide
    docrun.py reference [TOOLS…]           the examples of the reference, examples/c/reference
    docrun.py console                      the commands in docs/debugging.md
    docrun.py shell DOCUMENT [PATH]        the commands of a document, in the working directory

TOOLS is DIRECTORY COMPILER FLAGS…; without it, programs are compiled by cc and g++ and use build/prefix.

The expected output is the block ```output behind a program (or behind its commands), or the words of the comment
`# prints …` that follows. A line `…` in it matches any lines; numbers that differ between runs are masked. A program
in C or C++ writes nothing to standard error, where SIGNALKIT_DEBUG=leaks reports objects that are left alive."""

import collections, functools, os, pathlib, re, shlex, shutil, subprocess, sys
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent
CATALOG, COOKBOOK = ROOT / "Sources/SignalKit/SignalKit.docc", ROOT / "docs/cookbook"
FOLDER, TEMPLATES = ROOT / "examples/c/reference", ROOT / "Tests/comments"
PREFIX, WORK = ROOT / "build/prefix", ROOT / "build/docrun"
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
COMPILERS = {"c": ["cc", "-std=c11", *STRICT], "cpp": ["g++", "-std=c++17", *STRICT]}
WHOLE = {"c": "#include", "cpp": "#include", "python": "import ", "swift": "import "}
SUFFIXES = {"c": "c", "cpp": "cpp", "python": "py", "swift": "swift"}
MASKS = [r"0x[0-9a-f]+", r"\d+\.\d+ \[\d+\]", r"\d\.\d+(?= s,)", r"(?<=thread )\d+", r"\w+(?=/main\.swift)"]
CONSOLE = MASKS + [r"\d+\.\d+(?= )", r"\S*/(?=lib\w+\.so)", r"(?<=run #)\d+", r"(?<=subscription #)\d+",
                   r"(?<=^)#\d+|(?<= )#\d+", r"\+~\) \[~\]"]
complaints, count = [], 0


# ---- Blocks and outputs ----


class Block(NamedTuple):
    document: pathlib.Path
    name: str
    language: str
    code: str
    prints: object  # text, the words of a comment, or None
    before: str  # the text between the previous block and this one

    @property
    def whole(self):
        return WHOLE[self.language] in self.code


def blocks(document, *languages):
    text, numbers, before = document.read_text(encoding="utf-8"), collections.Counter(), 0
    found = [*re.finditer(r"^```(\w+)\n(.*?)^```$", text, flags=re.M | re.S)]
    for place, block in enumerate(found):
        end, commands, output = block.end(), "", None
        for behind in found[place + 1:place + 3]:
            if behind.start() != end + 2 or behind[1] not in ("sh", "output") or output:
                break
            end, commands = behind.end(), commands + behind[2] * (behind[1] == "sh")
            output = behind[2] if behind[1] == "output" else None
        words = re.search(r"# prints (.*)", commands + text[end:].split("\n```")[0])
        name = re.sub(r"\W", "_", f"{document.parent.stem}_{document.stem}{numbers[block[1]]}".lower())
        if block[1] in languages or not languages:
            yield Block(document, name, block[1], block[2], output or words and words[1].split(", "),
                        text[before:block.start()])
        numbers[block[1]], before = numbers[block[1]] + 1, block.end()


def pages(*folders):
    return [page for folder in folders for page in sorted((ROOT / folder).glob("*.md"))]


def masked(text, masks):
    for changing in masks:
        text = re.sub(changing, "~", text, flags=re.M)
    return [line.rstrip() for line in text.strip().splitlines()]


def compare(name, printed, prints, masks=MASKS):
    global count
    count += 1
    if isinstance(prints, list):
        fits = printed.split() == prints
    else:
        lines = ["(?:.*\n)*" if line.strip() == "…" else re.escape(line + "\n") for line in masked(prints or "", masks)]
        fits = prints is None or re.fullmatch("".join(lines), "".join(f"{line}\n" for line in masked(printed, masks)))
    if not fits:
        complaints.append(f"{name} prints:\n{printed}not:\n{prints}")


def run(*command, **options):
    return subprocess.run(command, text=True, **{"capture_output": True, **options})


# ---- Programs in C and C++ ----

def asked(*question):
    return run("pkg-config", *question, check=True,
               env={"PKG_CONFIG_PATH": str(PREFIX / "lib/pkgconfig"), **os.environ}).stdout.split()


class Tools:
    """Where programs are made, and by which compiler: the one of the command line, or a stranger's."""

    def __init__(self, kind, directory=None, *compiler):
        self.directory, self.compiler = pathlib.Path(directory or WORK / kind), compiler
        shutil.rmtree(self.directory, ignore_errors=True)
        self.directory.mkdir(parents=True)

    def flags(self, *packages):
        if self.compiler:
            return self.compiler[1:]
        library = asked("--variable=libdir", "signalkit")[0]
        return [*asked("--cflags", "--libs", "signalkit", *packages), "-lpthread", f"-Wl,-rpath,{library}"]

    def command(self, language, *options):
        return [*self.compiler[:1], *COMPILERS[language][len(self.compiler[:1]):], *options]

    def output(self, name, language, source, *options, packages=()):
        """The output of a program; None if it is not compiled or not right."""
        program = self.directory / (re.sub(r"\W", "_", name) + ".out")
        made = run(*self.command(language, *options), source, "-o", program, *self.flags(*packages))
        done = made.returncode or run("timeout", "60", program, env={**os.environ, "SIGNALKIT_DEBUG": "leaks"})
        if not done or made.returncode:
            complaints.append(f"{name} is not compiled:\n{made.stderr}")
        elif done.returncode or done.stderr:
            complaints.append(f"{name}: status {done.returncode}\n{done.stdout}{done.stderr}")
        else:
            return done.stdout

    def written(self, name, language, code, **options):
        source = self.directory / f"{name}.{language}"
        source.write_text(code)
        return self.output(name, language, source, *options.pop("standard", ()), **options)


# ---- Documents ----


def programs(*languages):
    documents = [ROOT / "README.md", *pages("docs", COOKBOOK, CATALOG)]
    found = [block for document in documents for block in blocks(document, *WHOLE)]
    check_pieces([block for block in found if not block.whole and block.document == documents[0]],
                 [block for block in found if block.whole] + python_blocks())
    check_cookbook(found)
    for language in [language for language in COMPILERS if language in (languages or COMPILERS)]:
        tools = Tools(f"programs-{language}")  # other languages can be run at the same time
        for block in found:
            if block.language == language and block.whole:
                output = tools.written(block.name, language, block.code)
                if output is not None:
                    compare(f"{block.name}.{language}", output, block.prints)
    if not languages or "swift" in languages:
        swift([block for block in found if block.language == "swift"])


def check_pieces(pieces, whole):
    """A piece of a program in README.md, a block that includes or imports nothing, is a part of a program: of one in
    examples, or of a document. Spaces at the beginning of a line do not matter."""
    def stripped(code):
        return "\n" + "\n".join(line.strip() for line in code.splitlines()) + "\n"
    for piece in pieces:
        texts = [path.read_text() for path in (ROOT / "examples").rglob(f"*.{SUFFIXES[piece.language]}")]
        texts += [block.code for block in whole if block.language == piece.language]
        if not any(stripped(piece.code) in stripped(text) for text in texts):
            complaints.append(f"{piece.name}: not in a program of examples or of a document:\n{piece.code}")


def check_cookbook(found):
    """A page has a program in C with an output, and a row in docs/cookbook.md, which names its other languages."""
    index = (ROOT / "docs/cookbook.md").read_text()
    for page in pages(COOKBOOK):
        text = page.read_text()
        fences = {"C++": "cpp", "Python": "python", "Swift": "swift"}
        others = ", ".join(name for name, fence in fences.items() if f"```{fence}\n" in text)
        link = re.escape(f"[{text.splitlines()[0].removeprefix('# ')}](cookbook/{page.name})")
        if not re.search(rf"^\| {link} \| [^|]* \| ?{re.escape(others)} \|$", index, flags=re.M):
            complaints.append(f"docs/cookbook.md: no row for {page.name} with its title and these languages: {others}")
        if not any(block.document == page and block.language == "c" and isinstance(block.prints, str)
                   for block in found):
            complaints.append(f"{page.name}: no program in C with an output")


def is_tested(code):
    return "import Testing\n" in code


def swift(found):
    """All programs in Swift as one package. In the guide for Swift, a block without an import continues the program
    before it, a block that imports Testing is a file of tests, and every other program has an output. The manifest
    there belongs to the step swift_as_printed."""
    whole = []
    for block in found:
        if "import PackageDescription" in block.code:
            continue
        if block.whole:
            whole.append(block)
        elif block.document.parent == CATALOG:
            whole[-1] = whole[-1]._replace(code=f"{whole[-1].code}\n{block.code}",
                                           prints=(whole[-1].prints or "") + (block.prints or ""))
        if block.document.parent == CATALOG and not whole[-1].prints and not is_tested(block.code):
            complaints.append(f"{block.document.name}: no output of this program:\n{block.code}")
    whole = [(block.name, block.code, block.prints) for block in whole]
    whole += [(template.stem, code, None) for template, code in examples_of("swift")]
    package, scratch = WORK / "package", ROOT / ".build-examples"
    shutil.rmtree(package, ignore_errors=True)
    libraries = "SignalKit", "SignalKitTesting"
    products = ", ".join(f'.product(name: "{name}", package: "{ROOT.name}")' for name in libraries)
    targets = []
    for name, code, _ in whole:
        kind, folder = ("testTarget", "Tests") if is_tested(code) else ("executableTarget", "Sources")
        (package / folder / name).mkdir(parents=True)
        (package / folder / name / ("tests.swift" if is_tested(code) else "main.swift")).write_text(code)
        targets.append(f'.{kind}(name: "{name}", dependencies: [{products}])')
    (package / "Package.swift").write_text(
        '// swift-tools-version: 6.0\nimport PackageDescription\nlet package = Package(name: "readme", dependencies: '
        f'[.package(path: "{ROOT}")], targets: [{", ".join(targets)}])\n')
    # Other packages are built in the same place: a kept plan can belong to one of them.
    built = run("swift", "build", "--build-tests", "-debug-info-format", "none",
                "--disable-build-manifest-caching", "--package-path", package, "--scratch-path", scratch)
    if built.returncode or re.search(rf"^{re.escape(str(package))}/.*: warning: ", built.stdout + built.stderr, re.M):
        sys.exit(built.stdout + built.stderr)
    plain = {name: value for name, value in os.environ.items() if not name.startswith("SIGNALKIT_")}
    for name, code, prints in whole:
        if not is_tested(code):
            done = run(scratch / "debug" / name, env=plain)
            compare(f"{name}, status {done.returncode}", done.stdout + done.stderr, prints)
            complaints.extend([f"{name}: status {done.returncode}"] if done.returncode else [])
    tests = sum(code.count("@Test ") for _, code, _ in whole)
    done = run(scratch / "debug/readmePackageTests.xctest", "--testing-library", "swift-testing", env=plain)
    print(done.stdout + done.stderr)
    if done.returncode or f"run with {tests} tests" not in done.stdout + done.stderr:
        complaints.append(f"status {done.returncode}; there are {tests} tests")


def python_blocks():
    guide = pages("bindings/python/docs")
    found = []
    for page in [ROOT / "README.md", ROOT / "bindings/python/README.md", *pages(COOKBOOK), *guide]:
        here = [block for block in blocks(page, "python") if block.whole or page in guide]
        if not here and page.parent != COOKBOOK and page.parent != ROOT:
            complaints.append(f"{page.relative_to(ROOT)}: no program in Python")
        complaints.extend(f"{page.relative_to(ROOT)}: no output of this program:\n{block.code}" for block in here
                          if page in guide and not block.prints)
        name = {ROOT: "project", ROOT / "bindings/python": "package"}.get(page.parent, page.stem)
        found += [block._replace(name=f"{name}_{number}") for number, block in enumerate(here, 1)]
    return found


def python(directory, interpreter=None):
    directory = pathlib.Path(directory)
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    for block in python_blocks():
        file = directory / f"{block.name}.py"
        file.write_text(block.code)
        if interpreter and block.prints:
            done = run(interpreter, "-u", "-W", "error", file, capture_output=False, stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT)
            compare(f"{file}, status {done.returncode}", done.stdout, block.prints)


def guide(*arguments):
    """A link to a program begins its part of a guide. Each block in its language there is a part of the program, line
    for line; each output is the output of the program. Every program is in the guide."""
    tools = Tools("guide", *arguments)
    for page, language in ("guide", "c"), ("guide-cpp", "cpp"):
        parts, name = collections.defaultdict(list), None
        for block in blocks(ROOT / f"docs/{page}.md"):
            for name in re.findall(rf"\(\.\./examples/{language}/guide/(\w+)\.{language}\)", block.before) or [name]:
                parts[name]
            parts[name].append(block)
        parts.pop(None, None)
        for source in sorted((ROOT / f"examples/{language}/guide").glob(f"*.{language}")):
            code, shown = source.read_text(), parts.pop(source.stem, [])
            standard = ["-std=c++20"] if "co_await" in code else []
            output = tools.output(f"{source.stem} {language}", language, source, *standard)
            for block in shown:
                if block.language == language and "\n" + block.code not in "\n" + code:
                    complaints.append(f"{source.name}: not in the program:\n{block.code}")
                if block.language == "output":
                    compare(source.name, output or "", block.code)
            if {language, "output"} - {block.language for block in shown}:
                complaints.append(f"{source.name}: the guide does not show the program, or not its output")
        complaints.extend(f"{name}.{language}: there is no such program" for name in parts)


# ---- Comments ----

def parts_of(path):
    """The parts of the code in a file's comments: lines that are set further in than the text. A drawing has no
    statement."""
    mark = r"\s*///" if path.suffix == ".swift" else r" *\*"
    for block in re.findall(rf"(?:^{mark} {{5}}.*\n)+", path.read_text(), flags=re.M):
        lines = [re.sub(rf"^{mark} {{5}}", "", line) for line in block.rstrip("\n").split("\n")]
        if any(re.search(r"[;{}]\s*(//.*|/\*.*)?$|^let ", line) for line in lines):
            yield [re.sub(r" \*/$", "", line) for line in lines]


def examples_of(language):
    """Each template in Tests/comments, and its text with the example of its file: `EXAMPLE` is replaced, or `EXAMPLE 1`
    by the first of several parts. Each example has a template, and each template an example."""
    folder, suffix = {"c": ("include", "h"), "cpp": ("include", "hpp"), "swift": ("Sources", "swift")}[language]
    unused = set(TEMPLATES.glob(f"*.{language}"))
    for path in sorted((ROOT / folder).rglob(f"*.{suffix}")):
        parts = [*parts_of(path)]
        template = TEMPLATES / (path.name if language == "swift" else f"{path.name}.{language}")
        if not parts:
            continue
        if template not in unused:
            sys.exit(f"{path.relative_to(ROOT)} has an example, and there is no {template.relative_to(ROOT)}")
        unused.remove(template)
        text = template.read_text()
        shown = [int(number) for number in re.findall(r"^ *EXAMPLE (\d+)$", text, flags=re.M)]
        if set(shown) != (set(range(1, len(parts) + 1)) if len(parts) > 1 else set()):
            sys.exit(f"{template.relative_to(ROOT)} shows {shown} of {len(parts)} parts")
        yield template, re.sub(r"^( *)EXAMPLE(?: (\d+))?$", lambda match: "\n".join(
            match[1] + line for line in parts[int(match[2] or 1) - 1]), text, flags=re.M)
    if unused:
        sys.exit(f"without an example: {', '.join(sorted(template.name for template in unused))}")


def comments(*arguments):
    """A template begins with `/* needs PACKAGE */` or `/* in STANDARD */` if it does."""
    tools = Tools("comments", *arguments)
    for language in COMPILERS:
        for template, text in examples_of(language):
            output = tools.written(template.stem, language, text, packages=re.findall(r"^/\* needs (\w+) \*/", text),
                                   standard=[f"-std={name}" for name in re.findall(r"^/\* in (\S+) \*/", text)])
            compare(template.name, output or "", None)


# ---- The reference ----

Example = collections.namedtuple("Example", "names says program prints where")
Piece = collections.namedtuple("Piece", "name comment code prints")  # a function or a type of a file
PIECE = re.compile(
    r"(?:^(?P<comment>/\*(?:(?!\*/).)*\*/)\n)?"
    r"^(?P<code>(?:static|struct|enum|typedef) (?:[^\n{]*;|[^\n]*\{[^\n]*\}[^\n]*|[^{;]*?\{\n.*?^\}[^\n]*))\n"
    r"(?:^/\* (?P<prints>(?:(?!\*/).)*)\*/\n)?", flags=re.M | re.S)
# The words by which a program uses a header; a header that is not here is always used.
WORDS = {
    "signalkit/testing.h": r"\bsgk_marble_", "fcntl.h": r"\bO_[A-Z]+", "math.h": r"\b(INFINITY|isinf)\b",
    "poll.h": r"\bpoll\(", "signal.h": r"\b(sig[a-z]+\(|SIG[A-Z]+)", "stdatomic.h": r"\batomic_",
    "stdio.h": r"\b(f?printf|f?puts|snprintf)\(", "stdlib.h": r"\b(calloc|exit|free|llabs|mkdtemp|qsort|strtol)\b",
    "string.h": r"\b(memcmp|memcpy|strlen|strstr)\(", "unistd.h": r"\b(_exit|close|fork|pipe|unlink|write)\(",
}


def text_of(comment):
    return "\n".join(re.sub(r"^ ?\* ?", "", line) for line in comment.rstrip().split("\n")).strip()


def pieces(path):
    for match in PIECE.finditer(path.read_text(encoding="utf-8")):
        name = re.match(r"typedef .*?\(\*(\w+)\)|.*?(\w+)\(|(?:struct|enum) (\w+)|static const \w+ (\w+) =",
                        match["code"])
        comment = (match["comment"] or "") + "\n"
        yield Piece(next(filter(None, name.groups())), comment.lstrip(), match["code"], text_of(match["prints"] or ""))


def alone(path, example, others):
    """An example as a separate program: its function as `main`, after the parts of its file and of print.h that it
    uses."""
    needed, words = [], set(re.findall(r"\w+", example.code))
    for piece in reversed(others):
        if piece.name in words:
            needed.insert(0, piece)
            words |= set(re.findall(r"\w+", piece.code))
    main = re.sub(rf"^static void {example.name}\(void\)", "int main(void)", example.code)
    code = "\n\n".join([*(piece.comment + re.sub(r"^static inline", "static", piece.code) for piece in needed), main])
    headers = re.findall(r"^#include <(.*)>", (path.parent / "print.h").read_text() + path.read_text(), flags=re.M)
    used = {f"#include <{header}>\n" for header in headers if re.search(WORDS.get(header, ""), code)}
    return "".join(sorted(used)) + "\n" + code + "\n"


@functools.cache
def in_file(path):
    """The examples of a file. An example is a function without arguments, whose comment begins with the names of the
    functions that it shows (`*` for a part of them). The comment below it is its output."""
    others, found = [*pieces(path.parent / "print.h")], []
    for piece in pieces(path):
        comment = text_of(re.sub(r"^/\*|\*/$", "", piece.comment.strip()).strip())
        names = re.match(r"(?:sgk_[\w*]+[ ,]*\n?)+", comment)
        if names:
            found.append(Example(re.findall(r"[\w*]+", names[0]), comment[names.end():].strip(),
                                 alone(path, piece, others), piece.prints, f"{path.relative_to(ROOT)}: {piece.name}"))
        else:
            others.append(piece)
    return found


def by_name():
    """Each function's example: the first that names it."""
    found = {}
    for path in sorted(FOLDER.glob("*.c")):
        for example in in_file(path):
            for name in example.names:
                found.setdefault(name, example)
    return found


def reference(*arguments):
    """Each file runs as a whole, and each example compiles as a separate program."""
    tools, sources = Tools("reference", *arguments), []
    for path in sorted(FOLDER.glob("*.c")):
        for example in in_file(path):
            sources.append(tools.directory / f"{example.names[0].replace('*', 'X')}.c")
            sources[-1].write_text(example.program)
            complaints.extend(f"{example.where} does not use {name}" for name in example.names
                              if "*" not in name and not re.search(rf"\b{name}\b", example.program))
        prints = "".join(example.prints + "\n" for example in in_file(path) if example.prints)
        output = tools.output(path.name, "c", path, "-D_GNU_SOURCE")
        compare(path.name, output or "", prints)
    syntax = run(*tools.command("c", "-D_GNU_SOURCE", "-fsyntax-only"), *sources,
                 *(flag for flag in tools.flags() if flag.startswith("-I")))
    complaints.extend([f"an example needs more than its file and print.h:\n{syntax.stderr}"] * (syntax.returncode != 0))
    print(len(sources), "examples")


# ---- Commands ----

def console():
    """The commands of the blocks ```console in docs/debugging.md, in a copy of examples/c/debugging."""
    place = WORK / "console"
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(ROOT / "examples/c/debugging", place)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SIGNALKIT_")}
    environment |= {"PKG_CONFIG_PATH": str(PREFIX / "lib/pkgconfig"), "LD_LIBRARY_PATH": str(PREFIX / "lib")}
    for block in blocks(ROOT / "docs/debugging.md", "console"):
        for command, prints in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block.code, flags=re.M):
            done = run("stdbuf", "-oL", "bash", "-c", command, cwd=place, env=environment, stdin=subprocess.DEVNULL,
                       capture_output=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
            compare(f"$ {command}", done.stdout, prints, CONSOLE)
    complaints.extend(f"{program.stem} was not made" for program in place.glob("*.c")
                      if not program.with_suffix("").exists())


def shell(document, *toolchain):
    """The blocks ```sh, by one shell that has only a home and a PATH (with the toolchain's, if it is given). A program
    under a line that ends in `name`: is saved in that file. The last words that a block prints are those of its comment
    "# prints …". A line `make test` is left out, because this is one of its tests."""
    global count
    path = ":".join(["/usr/local/bin", "/usr/bin", "/bin", "/usr/local/games", "/usr/games", *toolchain])
    home = pathlib.Path("home").resolve()
    home.mkdir(exist_ok=True)
    bash = subprocess.Popen(["env", "-i", f"HOME={home}", f"PATH={path}", "bash", "-e"], text=True,
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    bash.stdin.write("trap 'echo that has failed' EXIT\n")
    for block in blocks(pathlib.Path(document)):
        name = re.search(r"`(\w[\w/]*\.\w+)`:\n\n$", block.before)
        if name:
            pathlib.Path(name[1]).parent.mkdir(parents=True, exist_ok=True)
            pathlib.Path(name[1]).write_text(block.code)
        if block.language != "sh":
            continue
        code = re.sub(r"^make test\b.*\n", "", block.code, flags=re.M)
        print(code, flush=True)
        # A process that the block starts can outlive it and keep the pipe, so a line marks the end.
        bash.stdin.write(f"eval {shlex.quote(code)} </dev/null\necho that is all\n")
        bash.stdin.flush()
        printed = ""
        while not printed.endswith(("that is all\n", "that has failed\n")) and (line := bash.stdout.readline()):
            printed += line
        print(printed)
        if not printed.endswith("that is all\n"):
            sys.exit(f"{document}: failed with status {bash.wait()}:\n{code}")
        printed, prints = printed.removesuffix("that is all\n").split(), re.search(r"# prints (.*)", code)
        words = prints[1].split(", ") if prints else []
        if printed[len(printed) - len(words):] != words:
            sys.exit(f"{document}: does not print {prints[1]}:\n{code}")
        count += 1


KINDS = [programs, python, comments, guide, reference, console, shell]


def main():
    kind = next((kind for kind in KINDS if kind.__name__ == sys.argv[1]), None) or sys.exit(__doc__)
    kind(*sys.argv[2:])
    print("\n".join([*complaints, f"{count} compared"]))
    sys.exit(1 if complaints or not count and kind is not python else 0)


if __name__ == "__main__":
    main()
