#!/usr/bin/env python3
"""Writes a manual page for each function, type and callback that the headers declare (section 3), and one for each
header (section 7): `man_pages.py DIRECTORY`. It needs nothing but Python."""

import pathlib
import re
import sys
import textwrap

import reference

VERSION = re.search(r"^VERSION := (\S+)", (reference.ROOT / "Makefile").read_text(), flags=re.M)[1]
# Not of a program's concern: what the headers are made with.
INSIDE = re.compile(r"SGK_(BEGIN|END|API|OWNED|HANDLE|\w+_MAP|\w+_INIT|VERSION_\w+)$")
# What a comment says of its result in a paragraph of its own (`@return`).
RETURNED = re.compile(r"^\*\*Returns:\*\* (.*)\n*", flags=re.M)


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
    """As it stands in a program, in lines that fit."""
    if item.members:
        lines = [f"{item.declaration} {{"]
        for member, value, comment in item.members:
            lines.append(f"    {member}{f' = {value},' if value is not None else ';'}")
        return "\n".join([*lines, "};"])
    end = "" if item.kind == "macro" else ";"
    return textwrap.fill(item.declaration + end, 72, subsequent_indent="    ", break_long_words=False)


class Rules:
    """What the rules at the top of signalkit.h say of a function, by its types."""

    def __init__(self, handles):
        self.handles = handles

    def handle_of(self, type):
        match = re.fullmatch(r"(sgk_\w+) \*", type)
        return match[1] if match and match[1] in self.handles else None

    def result(self, item):
        handle, means = self.handle_of(item.result), "\\fBsgk_last_error\\fP(3) then says why"
        if item.name.endswith("_retain"):
            return ""
        if handle:
            return f"A handle that the caller owns, to be released with \\fB{handle}_release\\fP(3); NULL after " \
                   f"an error, and {means}."
        if item.result == "sgk_status":
            return f"SGK_OK, or a negative \\fBsgk_status\\fP(3). Of a mistake {means}; a status that is an answer " \
                   "leaves it alone."
        if item.result == "sgk_value":
            return "A value that the caller owns, to be released with \\fBsgk_value_release\\fP(3) if it is of a " \
                   "kind that is counted."
        return ""

    def ownership(self, item):
        said, declaration = [], item.declaration.split("(", 1)[1]
        if re.search(r"_(retain|release|replace|release_at|take)$", item.name):
            return ""
        if any(f"{handle} *" in declaration for handle in self.handles):
            said.append("Handles are borrowed: what the library keeps it retains.")
        if re.search(r"const sgk_value \*|\bsgk_value (?!\*)", declaration):
            said.append("Values are borrowed, but for those that are marked by \\fBsgk_give\\fP(3).")
        if "destroy" in item.parameters:
            said.append("\\fIdestroy\\fP(\\fIcontext\\fP), if there is one, is called exactly once, when nothing can "
                        "call the callback any more, also after an error.")
        return " ".join(said)

    def errors(self, item):
        if item.result not in ("sgk_status",) and not self.handle_of(item.result):
            return ""
        first = re.match(r"[^,)]*[ *]", item.declaration.split("(", 1)[1])
        first = self.handle_of(first[0].strip()) if first else None
        said = "An argument that is NULL where something is needed, a handle of another kind, a number out of range: " \
               "nothing changes, and the result says so."
        if first == "sgk_signal" and self.handle_of(item.result) == "sgk_signal":
            said += " Of a NULL signal it returns NULL, and the first error stays, so that a pipeline is checked " \
                    "once, at its end."
        return said


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
        f".SH DESCRIPTION\n{body(re.sub(RETURNED, '', item.comment))}",
    ]
    for member, _, comment in item.members:
        parts.append(f".TP\n\\fB{escaped(member)}\\fP\n{inline(' '.join(comment.split()))}")
    if item.kind == "function":
        owned, result, errors = rules.ownership(item), rules.result(item), rules.errors(item)
        returned = [inline(text) for text in re.findall(RETURNED, item.comment)]
        result = "\n".join([*returned, result]).strip()
        parts += [f".SH RETURN VALUE\n{result}"] if result else []
        parts += [f".SH OWNERSHIP\n{owned}"] if owned else []
        parts += [".SH THREADS\nMay be called from any thread, unless the description says otherwise." +
                  (" Callbacks run on the thread that emits, or where an operator delivers." if owned and "_fn " in
                   item.declaration else "")]
        parts += [f".SH ERRORS\n{errors}"] if errors else []
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
    """What a header says of all that it declares, and what that is."""
    name = overview(header)
    parts = [
        f'.TH {name.upper()} 7 "" "SignalKit {VERSION}" "SignalKit"',
        f".SH NAME\n{escaped(name)} \\- {escaped(summary(header.comment))}",
        f".SH SYNOPSIS\n#include <{header.included}>",
        f".SH DESCRIPTION\n{body(header.comment)}",
    ]
    for group in header.groups:
        parts.append(f".SH {escaped((group.title or 'What there is').upper())}")
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
