#!/usr/bin/env python3
"""Collects the reference: all declarations of the C library and its companions, in order, each with its comment, an
example and a picture. scripts/man_pages.py and scripts/site_pages.py write it.

As a program it reports each declaration without a comment, without `@since`, with an undocumented parameter, without an
example (functions; a companion's header starts with one example for all), or missing in the reference. Then it fails.

A parameter is documented if the comment of the function, its group or its header names it in backquotes. The rules in
signalkit.h document the first argument of a function, and a callback's `context` and `destroy`."""

import re
import sys
from dataclasses import dataclass, field

import docrun
from sources import (
    COMMENT, DECLARED, ROOT, companion_headers, documented_headers, members, one_line, signature, spelled_out, tables)

TITLES = {
    "all": "All headers",
    "signalkit": "The rules",
    "base": "Versions, errors, what is alive",
    "callback": "Native callbacks",
    "debug": "Seeing what runs",
    "descriptors": "Descriptors",
    "disposable": "Disposables",
    "event_link": "Event links",
    "multicast": "Sharing under keys",
    "operators": "Operators",
    "operators-combining": "Operators: several signals at once",
    "operators-effects": "Operators: beside the events",
    "operators-inner": "Operators: signals of signals",
    "operators-mapping": "Operators: each value",
    "operators-sequence": "Operators: one signal after another",
    "operators-taking": "Operators: a part of the values",
    "operators-timing": "Operators: time and queues",
    "overflow": "Overflow",
    "pipe": "Pipes",
    "promise": "Promises",
    "queue": "Queues and timers",
    "queue_custom": "Queues of one's own",
    "queue_local": "Objects that live on a queue",
    "reader": "Readers",
    "sharing": "Sharing",
    "signal": "Signals",
    "sources": "Sources",
    "testing": "Marble tests",
    "thread_pool": "Thread pools",
    "typed": "Typed callbacks",
    "value": "Values",
    "virtual_time": "Virtual time",
}
# The headers that signalkit.h does not include.
ALONE = {"all", "callback", "event_link", "multicast", "queue_custom", "queue_local", "testing", "typed"}
COMPANIONS = {"dbus": "D-Bus", "mqtt": "MQTT", "nats": "NATS", "zmq": "ZeroMQ"}


@dataclass
class Item:
    """One declaration: `kind` is function, handle, struct, enum, callback or macro."""

    kind: str
    name: str
    declaration: str
    comment: str
    since: str
    members: list = field(default_factory=list)  # of structs and enums: declaration or name, value or None, comment
    parameters: list = field(default_factory=list)  # names
    result: str = ""
    example: object = None
    picture: str = ""


@dataclass
class Group:
    title: str
    comment: str
    items: list = field(default_factory=list)


@dataclass
class Page:
    """A declaration of a header."""

    header: str
    comment: str
    groups: list = field(default_factory=list)

    @property
    def title(self):
        return COMPANIONS.get(self.header) or TITLES[self.header]

    @property
    def file(self):
        return "signalkit.h" if self.header == "signalkit" else f"signalkit/{self.header}.h"

    @property
    def included(self):
        """The name for `#include`."""
        return self.file if self.header in ALONE or self.header in COMPANIONS else "signalkit.h"

    @property
    def package(self):
        """The name for pkg-config."""
        return f"signalkit-{self.header}" if self.header in COMPANIONS else "signalkit"

    @property
    def items(self):
        return [item for group in self.groups for item in group.items]


def text_of(comment):
    """The lines of a comment without its marks."""
    text = re.sub(r"^/\*[*]?<?|\*/$", "", (comment or "").strip(), flags=re.S).strip()
    text = spelled_out("\n".join(re.sub(r"^ *\* ?", "", line).rstrip() for line in text.split("\n")).strip())
    return re.sub(r"^(Returns|Thread|Order|Ownership|Warning): ", r"**\1:** ", text, flags=re.M)


def without_since(comment):
    found = re.search(r"@since (\S+)", comment)
    return re.sub(r"\s*@since \S+", "", comment).strip(), found[1] if found else ""


HANDLED = re.compile(rf"({COMMENT})\s*(?:SGK_API |static inline )(.*?)(?:;|\{{)", flags=re.S)


def function_item(declared, comment, since):
    result, name, parameters = signature(declared)
    return Item("function", name, one_line(declared), comment, since, parameters=[name for _, name in parameters],
                result=re.sub("static inline |SGK_OWNED ", "", result).strip())


class Reader:
    """Reads one header after another."""

    def __init__(self):
        self.pages, self.complaints, self.maps = [], [], {}
        base = (ROOT / "include/signalkit/base.h").read_text()
        self.of_handles = "".join(re.search(rf"#define {macro}\(type\)((?:.*\\\n)*.*)", base)[1].replace("\\\n", "\n")
                                  for macro in ("SGK_HANDLE", "SGK_HANDLE_VARIABLES"))
        for header, text in [*documented_headers(), *companion_headers()]:
            self.maps |= tables(text)
            first = re.search(r"/\*\* @file(.*?)\*/", text, flags=re.S)
            comment, self.since = without_since(text_of("/**" + first[1] + "*/"))
            page = Page(header, comment, [Group("", "")])
            self.read(page, text[first.end():])
            page.groups = [group for group in page.groups if group.items]
            self.pages.append(page)

    def read(self, page, text):
        seen = set()
        for found in DECLARED.finditer(text):
            if found["group"]:
                page.groups.append(Group(found["group"], text_of("/*" + found["text"] + "*/")))
                continue
            comment, since = without_since(text_of(found["before"] or found["behind"]))
            for item in self.items(found, comment, since or self.since):
                inner = item.kind == "macro" and (item.name.endswith(("_ENUM", "_H")) or item.name in seen)
                if not comment and not inner:
                    self.complaints.append(f"{page.file}: {item.name} is not documented")
                if comment:
                    seen.add(item.name)
                    page.groups[-1].items.append(item)

    def items(self, found, comment, since):
        if found["handle"]:
            name = found["handle"]
            yield Item("handle", name, f"typedef struct {name} {name}", comment, since)
            for text, declared in HANDLED.findall(re.sub(r"type##|\btype\b", name, self.of_handles)):
                if "_release_at" not in declared:
                    yield function_item(declared, " ".join(text_of(text).split()), since)
        elif found["function"] or found["inline"]:
            yield function_item(found["function"] or found["inline"], comment, since)
        elif found["opaque"]:
            yield Item("handle", found["opaque"], f"typedef struct {found['opaque']} {found['opaque']}", comment, since)
        elif found["callback"]:
            name = re.search(r"\(\*(\w+)\)", found["callback"])[1]
            yield Item("callback", name, "typedef " + one_line(found["callback"]), comment, since)
        elif found["macro"]:
            name = re.match(r"\w+", found["macro"])[0]
            value = found["macro_body"].strip()
            shown = f" {value}" if re.fullmatch(r"[\w(){}, .\"-]+", value) and len(value) < 60 else ""
            yield Item("macro", name, f"#define {found['macro']}{shown}", comment, since)
        else:
            shown = [(name, value, text_of(comment)) for name, value, comment in members(found, self.maps)]
            yield Item(found["what"], found["type"], f"{found['what']} {found['type']}", comment, since, shown)


def pictures():
    """The marble pictures of the operators, by the names in C."""
    found = {}
    for page in sorted((ROOT / "docs/operators").glob("*.md")):
        for names, picture in re.findall(r"^Swift: (.*)$(?:(?!^## )[^!])*!\[.*?\]\(pictures/(\S+?)\)",
                                         page.read_text(), flags=re.M):
            found = {name: picture for name in re.findall(r"`(sgk_\w+)`", names)} | found
    return found


def read():
    """The pages and their faults."""
    reader, drawn, shown = Reader(), pictures(), docrun.by_name()
    for page in reader.pages:
        for item in page.items:
            item.picture = drawn.get(item.name, "") if item.kind in ("function", "handle") else ""
            like = next((name for name in shown if "*" in name and re.fullmatch(name.replace("*", r"\w+"), item.name)),
                        None)
            item.example = shown.pop(item.name, None) or shown.get(like)
    complaints = reader.complaints + list(unexplained(reader.pages))
    complaints += [f"{name}: an example, but nothing of this name" for name in shown if "*" not in name]
    return reader.pages, complaints


def named(*comments):
    """The names in backquotes in the comments."""
    return " ".join(re.findall(r"`([^`]*)`", " ".join(comments), flags=re.S))


def unexplained(pages):
    exported = set((ROOT / "Tests/abi/symbols.txt").read_text().split())
    for page in pages:
        for group in page.groups:
            for item in group.items:
                place = f"{page.file}: {item.name}"
                exported.discard(item.name)
                if item.kind == "function" and not item.example and page.header not in COMPANIONS:
                    yield f"{place}: no example in {docrun.FOLDER.relative_to(ROOT)}"
                if not item.since:
                    yield f"{place}: no @since"
                for name, _, comment in item.members:
                    if not comment:
                        yield f"{place}: {name} is not documented"
                words = named(page.comment, group.comment, item.comment)
                for name in item.parameters[1:]:
                    if name not in ("context", "destroy") and not re.search(rf"\b{name}\b", words):
                        yield f"{place}: the parameter {name} is not explained"
    for name in sorted(exported):
        yield f"{name}: not in the reference"


def main():
    pages, complaints = read()
    for complaint in complaints:
        print(complaint)
    kinds = [item.kind for page in pages for item in page.items]
    print("in the reference:", ", ".join(f"{kind}: {kinds.count(kind)}" for kind in sorted(set(kinds))))
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
