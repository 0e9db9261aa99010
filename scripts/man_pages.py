#!/usr/bin/env python3
"""Writes a manual page for each function, type and callback that the headers declare (section 3), and one for each
header (section 7): `man_pages.py DIRECTORY`. It needs nothing but Python."""

import pathlib
import re
import sys
import textwrap

import reference

VERSION = re.search(r"^VERSION := (\S+)", (reference.ROOT / "Makefile").read_text(), flags=re.M)[1]
# Macros that only the headers use.
INSIDE = re.compile(r"SGK_(BEGIN|END|API|OWNED|HANDLE|\w+_MAP|\w+_INIT|VERSION_\w+)$")
# The parts of a function's comment that have their own sections on its page.
PART = re.compile(r"^\*\*(Returns|Thread|Order|Ownership):\*\* ((?:(?!\n\s*\n).)+)\n*", flags=re.M | re.S)
PARAMETER = re.compile(r"^- `(\w+)`: (.*)\n*", flags=re.M)


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    text = text.replace("…", "...").replace("–", "\\(en")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


def inline(text):
    """A line of Markdown, in roff."""
    parts = re.split(r"`([^`]*)`", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text))
    for place, part in enumerate(parts):
        code = place % 2 == 1
        words = escaped(part) if code else re.sub(r"\*\*(.*?)\*\*", r"\\fB\1\\fP", escaped(part))
        parts[place] = f"\\fB{words}\\fP" if code else re.sub(r"\b(sgk_\w+)", r"\\fB\1\\fP", words)
    return re.sub(r"^([.'])", r"\\&\1", "".join(parts))


def code(text):
    return f".IP\n.nf\n{escaped(text.rstrip())}\n.fi"


def body(text):
    """Markdown, as the comments are written in it, in roff: paragraphs, lists, tables, headings, code."""
    written = []
    for block in re.split(r"\n\s*\n|\n(?= *(?:- |\d+\. |\| |# ))", text.strip("\n")):
        lines = block.split("\n")
        item = re.match(r" *(- |\d+\. )(.*)", block, flags=re.S)
        if not block.strip():
            continue
        if all(line.startswith("    ") or not line for line in lines) and not item:
            written.append(code(textwrap.dedent(block)))
        elif item:
            mark = "\\(bu" if item[1] == "- " else item[1].strip()
            written.append(f".IP {mark} 4\n{inline(' '.join(item[2].split()))}")
        elif lines[0].startswith("| "):
            cells = [cell.strip() for cell in lines[0].strip("|").split(" | ")]
            if not re.fullmatch(r"[-| ]*", lines[0]):
                written.append(f".TP\n{inline(cells[0])}\n{inline('; '.join(cells[1:]).strip(' |'))}")
        elif lines[0].startswith("# "):
            written.append(f".SS {inline(' '.join(block[2:].split()))}")
        else:
            written.append(f".PP\n{inline(' '.join(block.split()))}")
    return "\n".join(written).removeprefix(".PP\n")


def summary(comment):
    """The first sentence of a comment, for the line that whatis shows."""
    comment = " ".join(re.sub(r"^SignalKit: ", "", comment).split())
    first = re.split(r"(?<=[^.])\.(?:\s|$)", comment, maxsplit=1)[0]
    if len(first) >= 160:
        first = re.split(r"[:;]\s", first, maxsplit=1)[0]
    first = re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", first).strip()
    first = first[0].lower() + first[1:] if re.match(r"A |[A-Z][a-z]", first) else first
    return first if len(first) < 160 else first[:157].rsplit(" ", 1)[0] + " ..."


def declared(item):
    """Returns the declaration, in lines of at most 72 characters."""
    if item.members:
        lines = [f"{item.declaration} {{"]
        for member, value, comment in item.members:
            lines.append(f"    {member}{f' = {value},' if value is not None else ';'}")
        return "\n".join([*lines, "};"])
    end = "" if item.kind == "macro" else ";"
    return textwrap.fill(item.declaration + end, 72, subsequent_indent="    ", break_long_words=False)


class Rules:
    """The rules of signalkit.h for a function, by its types."""

    def __init__(self, handles):
        self.handles = handles

    def handle_of(self, type):
        match = re.fullmatch(r"(sgk_\w+) \*", type)
        return match[1] if match and match[1] in self.handles else None

    def result(self, item):
        handle = self.handle_of(item.result)
        if item.name.endswith("_retain"):
            return []
        if handle:
            return [f"The caller owns the handle and releases it with \\fB{handle}_release\\fP(3). After an error the "
                    "result is NULL, and \\fBsgk_last_error\\fP(3) returns the reason."]
        if item.result == "sgk_status":
            return ["A negative status is an error. \\fBsgk_last_error\\fP(3) returns its reason, except for results "
                    "that leave the last error unchanged."]
        if item.result == "sgk_value":
            return ["The caller owns the value and releases it with \\fBsgk_value_release\\fP(3)."]
        return []

    def ownership(self, item):
        rules, declaration = [], item.declaration.split("(", 1)[1]
        if re.search(r"_(retain|release|replace|release_at|take)$", item.name):
            return []
        if any(f"{handle} *" in declaration for handle in self.handles):
            rules.append("Handles are borrowed. The library retains the handles that it stores.")
        if re.search(r"const sgk_value \*|\bsgk_value (?!\*)", declaration):
            rules.append("Values are borrowed, unless \\fBsgk_give\\fP(3) marks them.")
        if "destroy" in item.parameters:
            rules.append("\\fIdestroy\\fP(\\fIcontext\\fP) is called exactly once, after the last call of the "
                         "callback, also if this function fails. \\fIdestroy\\fP may be NULL.")
        return [" ".join(rules)] if rules else []

    def errors(self, item):
        if item.result not in ("sgk_status",) and not self.handle_of(item.result):
            return ""
        first = re.match(r"[^,)]*[ *]", item.declaration.split("(", 1)[1])
        first = self.handle_of(first[0].strip()) if first else None
        rules = "An argument must not be NULL, unless its description allows it. It must have the right type, and a " \
                "number must be in range. Otherwise the function fails, and nothing changes."
        if first == "sgk_signal" and self.handle_of(item.result) == "sgk_signal":
            rules += " If the signal is NULL, the function returns NULL and keeps the first error. Therefore a " \
                     "program checks a pipeline once, at its end."
        return rules


def sections(item, rules):
    """The sections of a function between its synopsis and its example."""
    parts = {}
    for label, text in PART.findall(item.comment):
        parts[label] = inline(" ".join(text.split()))
    parameters = [found for found in PARAMETER.findall(item.comment) if found[0] in item.parameters]
    described = PART.sub("", item.comment)
    for name, _ in parameters:
        described = re.sub(rf"^- `{name}`: .*\n*", "", described, flags=re.M)
    threads = ["May be called from any thread, unless the description names one."]
    if item.result == "sgk_signal *" and "destroy" in item.parameters and "Thread" not in parts:
        threads.append("Callbacks run on the emitting thread.")
    threads += [f"{label}: {parts[label]}" for label in ("Thread", "Order") if label in parts]
    found = {
        "DESCRIPTION": [body(described)],
        "PARAMETERS": [f".TP\n\\fI{escaped(name)}\\fP\n{inline(text)}" for name, text in parameters],
        "RETURN VALUE": [parts[label] for label in ("Returns",) if label in parts] + rules.result(item),
        "OWNERSHIP": [parts[label] for label in ("Ownership",) if label in parts] + rules.ownership(item),
        "THREADS": threads,
        "ERRORS": [rules.errors(item)],
    }
    for title, paragraphs in found.items():
        if any(paragraphs):
            between = "\n" if title == "PARAMETERS" else "\n.PP\n"
            yield f".SH {title}\n{between.join(paragraphs)}"


def page(item, header, group, rules, names):
    """The manual page of a declaration."""
    near = [other.name for other in group.items if other.kind == item.kind and other is not item]
    place = near.index(item.name) if item.name in near else 0
    mentioned = [name for name in dict.fromkeys(re.findall(r"\bsgk_\w+", item.comment)) if name in names]
    types = [name for name in dict.fromkeys(re.findall(r"\bsgk_\w+", item.declaration)) if name in names]
    also = [name for name in dict.fromkeys(mentioned + types + near[place:place + 6]) if name != item.name]
    parts = [
        f'.TH {item.name.upper()} 3 "" "SignalKit {VERSION}" "SignalKit"',
        f".SH NAME\n{escaped(item.name)} \\- {escaped(summary(item.comment))}",
        f".SH SYNOPSIS\n.nf\n#include <{header.included}>\n.sp\n{escaped(declared(item))}\n.fi",
    ]
    if item.kind == "function":
        parts += sections(item, rules)
    else:
        parts.append(f".SH DESCRIPTION\n{body(item.comment)}")
    for member, _, comment in item.members:
        parts.append(f".TP\n\\fB{escaped(member)}\\fP\n{inline(' '.join(comment.split()))}")
    if item.example:
        says = f"{inline(' '.join(item.example.says.split()))}\n" if item.example.says else ""
        prints = f"\n.PP\nprints\n{code(item.example.prints)}" if item.example.prints else ""
        parts.append(f".SH EXAMPLE\n{says}{code(item.example.program)}{prints}")
    parts.append(f".SH AVAILABILITY\nSince {item.since or VERSION}. "
                 f"Compile with \\fBcc\\fP ... $(\\fBpkg\\-config \\-\\-cflags \\-\\-libs "
                 f"{escaped(header.package)}\\fP).")
    linked = [f"\\fB{escaped(name)}\\fP(3)" for name in also]
    about = [f"\\fB{escaped(name)}\\fP(7)" for name in dict.fromkeys([overview(header), "signalkit"])]
    parts.append(".SH SEE ALSO\n" + ",\n".join(linked + about))
    return "\n".join(parts) + "\n"


def overview(header):
    return header.header if header.header == "signalkit" else f"signalkit-{header.header}"


def header_page(header, headers):
    """The manual page of a header, with the summaries of its declarations."""
    name = overview(header)
    parts = [
        f'.TH {name.upper()} 7 "" "SignalKit {VERSION}" "SignalKit"',
        f".SH NAME\n{escaped(name)} \\- {escaped(summary(header.comment))}",
        f".SH SYNOPSIS\n#include <{header.included}>",
        f".SH DESCRIPTION\n{body(header.comment)}",
    ]
    for group in header.groups:
        parts.append(f".SH {escaped((group.title or 'Declarations').upper())}")
        parts += [body(group.comment)] if group.comment else []
        parts += [f".TP\n\\fB{escaped(item.name)}\\fP\n{escaped(summary(item.comment))}" for item in group.items]
    others = [overview(other) for other in headers if other is not header]
    parts.append(".SH SEE ALSO\n" + ",\n".join(f"\\fB{escaped(other)}\\fP(7)" for other in others))
    return "\n".join(parts) + "\n"


def main():
    directory = pathlib.Path(sys.argv[1])
    headers, _ = reference.read()
    rules = Rules({item.name for header in headers for item in header.items if item.kind == "handle"})
    names = {item.name for header in headers for item in header.items}
    for section in ("man3", "man7"):
        (directory / section).mkdir(parents=True, exist_ok=True)
        for old in (directory / section).glob("*.[37]"):
            old.unlink()
    for header in headers:
        (directory / "man7" / f"{overview(header)}.7").write_text(header_page(header, headers))
        for group in header.groups:
            for item in group.items:
                if not INSIDE.match(item.name):
                    (directory / "man3" / f"{item.name}.3").write_text(page(item, header, group, rules, names))


if __name__ == "__main__":
    main()
