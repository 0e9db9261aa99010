#!/usr/bin/env python3
"""Prints a public header as Doxygen is to read it, so that the header itself need not be written for Doxygen. Lines
keep their numbers.

- `SGK_HANDLE(type)` becomes what the macro declares, and an enum made by an X-macro its values, with their texts.
- `/* ---- Title ---- */` begins a group, with the lines of text that follow in the same comment.
- The `@since` of a header's first comment goes to every comment in it that has none of its own.
- The rules at the top of signalkit.h become the first page."""
import pathlib, re, sys

root = pathlib.Path(__file__).resolve().parent.parent
header = pathlib.Path(sys.argv[1])
text = header.read_text()
since = re.search(r"\A/\*\* @file.*?(@since \S+)|\Z", text, flags=re.S)[1] or ""


def macro(name, source=text):
    """What stands behind a macro of several lines, as one line."""
    found = re.search(rf"^#define {name}\(\w+\)((?:.*\\\n)*.*)", source, flags=re.M)
    return re.sub(r"\s*\\\n\s*", " ", found[1])


def handle(match):
    declarations = macro("SGK_HANDLE", (root / "include" / "signalkit" / "base.h").read_text())
    return re.sub(r"type##|\btype\b", match[1], declarations).replace("*/", f"{since} */")


def enum_values(match):
    rows = re.findall(r'X\((\w+), (-?\d+), "(.*?)"\)', macro(match[1]))
    return " ".join(f"{name} = {number}, /**< {meaning} */" for name, number, meaning in rows)


text = re.sub(r"^((?:SGK_API [^\n]*)?/\*\*(?! @file)(?:(?!\*/|@since).)*)\*/",
              rf"\1{since} */",
              text,
              flags=re.M | re.S)
text = re.sub(r"^SGK_HANDLE\((\w+)\)", handle, text, flags=re.M)
text = re.sub(r"^ *(SGK_\w+_MAP)\(SGK_\w+_ENUM\)", enum_values, text, flags=re.M)
text = re.sub(r"^#(define|undef) SGK_\w+_ENUM\b.*", "", text, flags=re.M)

text, groups = re.subn(r"^/\* ---- (.*?) ----(.*?)\*/", r"/** @} *//** @name \1\2*//** @{ */", text, flags=re.M | re.S)
if groups:
    text = text.replace("/** @} */", "", 1)
    text = re.sub(r"^SGK_END$", "/** @} */", text, flags=re.M)
if header.name == "signalkit.h":  # Doxygen would number each list from 1 on
    text = re.sub(r"^ \* (\d+)\. ", r" * - **\1.** ", text.replace("@file", "@mainpage", 1), flags=re.M)
sys.stdout.write(text)
