"""A map and a filter in each language that has a package, compared with the language's own means. In all of them, the
values from 0 are increased by 1, then the even ones pass and are added. Texts of 21 and 22 bytes get one byte more, and
those of an even length pass: their lengths are added. "a call from C" is what one call of the language from C takes,
without the library: lfind of the C library calls a function for each value.

`languages.py FOLDER` needs the programs of ../Makefile in the folder. A program has the arguments CASE WARM COUNT: it
first runs the case with WARM values, and prints the nanoseconds for each of COUNT values, then the sum."""

import os
import shutil
import subprocess
import sys

from harness import check, run

FOLDER = sys.argv.pop(1)
HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "languages")
PACKAGES = os.path.join(os.environ["SIGNALKIT_SOURCES"], "bindings")
SOURCE = os.path.join(HERE, "languages")
COMMANDS = {
    "Java": ["java", "-cp", f"{FOLDER}/java:/usr/share/java/jna.jar", "Languages"],
    "Rust": [f"{FOLDER}/rust/release/languages"],
    "Go": [f"{FOLDER}/go"],
    "Ruby": ["ruby", f"-I{PACKAGES}/ruby/lib", f"{SOURCE}.rb"],
    "Lua": ["luajit", f"{SOURCE}.lua"],
    "interpreted Lua": ["luajit", "-joff", f"{SOURCE}.lua"],
    "Perl": ["perl", f"-I{PACKAGES}/perl/lib", f"{SOURCE}.pl"],
}
LUA = f"{PACKAGES}/lua/?.lua;{PACKAGES}/lua/?/init.lua;;"


def sum_of_even(count):
    """Of 1 … count."""
    return count // 2 * (count // 2 + 1)


def sum_of_lengths(count):
    return 22 * ((count + 1) // 2)


def case(language, name, expected=sum_of_even):
    def measure(count):
        command = list(COMMANDS[language])
        if not shutil.which(command[0]):
            sys.exit(3)
        command += [name, str(count), str(count)]
        output = subprocess.check_output(command, env=os.environ | {"LUA_PATH": LUA})
        nanoseconds, total = output.split()
        check(int(total), expected(count), f"{name} in {language}")
        return float(nanoseconds)

    return measure


def row(name, language, peer, count, ours="range", theirs="peer", expected=sum_of_even):
    """The two cases of a row."""
    return [(f"W23.{name}", f"SignalKit ({language})", count, case(language, ours, expected)),
            (f"W23.{name}", peer, count, case(language, theirs, expected))]


def ranges(name, language, peer, count):
    """A range, beside calls from C. In Java, Rust and Lua it stays in the language."""
    call = (f"W23.{name}", "a call from C", count, case(language, "call", lambda calls: calls))
    return [*row(name, language, peer, count), call]


def rows(name, language, peer, count):
    """A range, and values that the program sends into a pipe."""
    return [*ranges(name, language, peer, count), *row(f"{name}.pipe", language, peer, count, "pipe")]


run([
    *rows("java", "Java", "SubmissionPublisher per stage", 1_000_000),
    *ranges("rust", "Rust", "boxed streams", 3_000_000),
    *row("rust.text", "Rust", "boxed streams", 2_000_000, "text", "peer.text", sum_of_lengths),
    *rows("go", "Go", "a channel per stage", 300_000),
    *row("go.struct", "Go", "a channel per stage", 200_000, "struct", "peer.struct"),
    *rows("ruby", "Ruby", "Observable per stage", 100_000),
    *rows("lua", "Lua", "closures", 200_000),
    ("W23.lua", "closures, without LuaJIT's compiler", 200_000, case("interpreted Lua", "peer")),
    *rows("perl", "Perl", "closures", 50_000),
])
