#!/usr/bin/env python3
"""Compiles and runs the examples in the comments of the headers: `comments.py BUILD CC CXX`; scripts/readme.py does so
with those in Swift.

An example is code that a comment sets further in than its text. The template of its file's name in Tests/comments gives
it what it needs and checks what it has done: `EXAMPLE` stands there for it, or `EXAMPLE 1` for the first of several
parts. No example is without a template, and no template without an example. A template that `needs` a package is given
its flags, and one that is `in` a standard of the language that one."""
import os, pathlib, re, subprocess, sys

root = pathlib.Path(__file__).resolve().parent.parent
templates = root / "Tests" / "comments"
FAMILIES = {"c": ("include", "*.h"), "cpp": ("include", "*.hpp"), "swift": ("Sources", "*.swift")}


def example(path):
    """The parts of the code in a file's comments, lines each; not drawings, which have no statement."""
    mark = r"\s*///" if path.suffix == ".swift" else r" *\*"
    for block in re.findall(rf"(?:^{mark} {{5}}.*\n)+", path.read_text(), flags=re.M):
        lines = [re.sub(rf"^{mark} {{5}}", "", line) for line in block.rstrip("\n").split("\n")]
        if any(re.search(r"[;{}]\s*(//.*|/\*.*)?$|^let ", line) for line in lines):
            yield [re.sub(r" \*/$", "", line) for line in lines]


def programs(language):
    """The name of each template, and its text with the example in it."""
    folder, pattern = FAMILIES[language]
    unused = set(templates.glob("*.swift" if language == "swift" else f"*.{language}"))
    for path in sorted((root / folder).rglob(pattern)):
        parts = list(example(path))
        template = templates / (path.name if language == "swift" else f"{path.name}.{language}")
        if not parts: continue
        if template not in unused:
            sys.exit(f"{path.relative_to(root)} has an example, and there is no {template.relative_to(root)}")
        unused.remove(template)
        text = template.read_text()
        shown = {int(number) for number in re.findall(r"^ *EXAMPLE (\d+)$", text, flags=re.M)}
        if shown != (set(range(1, len(parts) + 1)) if len(parts) > 1 else set()):
            sys.exit(f"{template.relative_to(root)} shows {shown} of {len(parts)} parts")

        def part(match): return "\n".join(match[1] + line for line in parts[int(match[2] or 1) - 1])
        yield template, re.sub(r"^( *)EXAMPLE(?: (\d+))?$", part, text, flags=re.M)
    if unused: sys.exit(f"without an example: {', '.join(sorted(template.name for template in unused))}")


def asked(*question):
    """What pkg-config answers, in words."""
    return subprocess.run(["pkg-config", *question], check=True, stdout=subprocess.PIPE, text=True).stdout.split()


def main():
    build = pathlib.Path(sys.argv[1])
    build.mkdir(parents=True, exist_ok=True)
    count = 0
    for language, compiler in ("c", [sys.argv[2], "-std=c11"]), ("cpp", [sys.argv[3], "-std=c++17"]):
        for template, text in programs(language):
            source, program = build / template.name, build / template.stem
            source.write_text(text)
            packages = ["signalkit", *re.findall(r"^/\* needs (\w+) \*/", text)]
            standard = [f"-std={name}" for name in re.findall(r"^/\* in (\S+) \*/", text)]
            library = asked("--variable=libdir", "signalkit")[0]
            flags = asked("--cflags", "--libs", *packages) + [f"-Wl,-rpath,{library}"]
            subprocess.run(
                [*compiler, *standard, "-Wall", "-Wextra", "-Wpedantic", "-Werror", source, "-o", program, *flags],
                check=True)
            done = subprocess.run([program], env=dict(os.environ, SIGNALKIT_DEBUG="1"), capture_output=True, text=True)
            if done.returncode or done.stderr:
                sys.exit(f"{template.relative_to(root)}: {done.returncode}, {done.stderr}\n{text}")
            count += 1
    print(count, "examples")


if __name__ == "__main__": main()
