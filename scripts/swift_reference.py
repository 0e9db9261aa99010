#!/usr/bin/env python3
"""The reference for Swift: the public symbols in the compiler's symbol graph (written by `make docs`), each with its
comment, in the order of the sources, with a page for each folder. scripts/site_pages.py writes it into the site.

As a program it lists symbols without a comment (of another graph: `swift_reference.py GRAPH`), and fails if there is
one. It skips implementations of a protocol's requirements, which the protocol documents, and symbols that the compiler
generates."""

import json
import pathlib
import re
import sys
from dataclasses import dataclass

from sources import ROOT, declarations

GRAPH = ROOT / "build/docc/graph/SignalKit.symbols.json"
SOURCES = re.compile(r"(?:.*/)?Sources/SignalKit(?:Core)?/")
TITLES = {
    "Chain": "signals and their runs",
    "Operators/Creation": "making signals",
    "Operators/Mapping": "operators on each value",
    "Operators/Taking": "operators that take a part of the values",
    "Operators/Timing": "operators on time and queues",
    "Operators/Combining": "operators on several signals at once",
    "Operators/Sequence": "operators on one signal after another",
    "Operators/Inner": "operators on signals of signals",
    "Operators/Effects": "operators beside the events",
    "Subjects": "pipes, promises, shared runs",
    "Disposables": "disposables",
    "Queues": "queues, timers, thread pools",
    "Concurrency": "async and await",
    "Pull": "readers",
    "Descriptors": "descriptors, files, children",
    "Observable": "event links",
    "Sight": "seeing what runs",
    "Synchronization": "locks and atomics",
    "Containers": "bags",
    "Convenience": "shorter forms",
    "Members": "operators as members",
}


@dataclass
class Symbol:
    name: str  # with the types that it is in, and its labels
    folder: str
    place: tuple
    declaration: str
    comment: str

    @property
    def anchor(self):
        return anchor(self.name)


def symbols(graph=GRAPH):
    """The symbols that the sources declare, in order."""
    graph = json.loads(pathlib.Path(graph).read_text(encoding="utf-8"))
    required = {one["source"] for one in graph["relationships"] if "sourceOrigin" in one}
    found = []
    for symbol in graph["symbols"]:
        if "location" not in symbol or symbol["identifier"]["precise"] in required:
            continue
        file = in_sources(symbol["location"]["uri"])
        found.append(Symbol(
            ".".join(symbol["pathComponents"]), file.rsplit("/", 1)[0],
            (file, symbol["location"]["position"]["line"]),
            "".join(part["spelling"] for part in symbol["declarationFragments"]),
            "\n".join(line["text"] for line in symbol.get("docComment", {}).get("lines", []))))
    return sorted(found, key=lambda symbol: symbol.place)


def anchor(name):
    """The anchor that docs/conf.py makes of the heading for a symbol."""
    return re.sub(r"[^\w\- ]", "", name.lower())


def in_sources(path):
    """The path of a source below the folder of its module."""
    return SOURCES.sub("", path, count=1)


def page_of(path):
    """The path of the page for the declarations of a source."""
    return page(in_sources(path).rsplit("/", 1)[0])


def page(folder):
    """The path of its page in the site, without an ending."""
    return f"reference/swift/{folder.replace('/', '-').lower()}"


class Reference:

    def __init__(self):
        self.symbols = symbols()
        self.known = {}
        for symbol in self.symbols:
            for name in symbol.name, symbol.name.split("(")[0]:
                self.known.setdefault(name, symbol)

    def linked(self, text, top, itself=None):
        """Markdown in which the names of symbols lead to their places; `top` leads to the top of the site."""
        def link(match):
            shown = match[1] or match[2]
            symbol = self.known.get(shown.replace("/", "."))
            if not symbol or itself and symbol.name == itself.name:
                return f"`{shown}`"
            return f"[`{shown}`]({top}{page(symbol.folder)}.html#{symbol.anchor})"
        parts = re.split(r"(^ {4}.*$|^```.*?^```$)", text, flags=re.M | re.S)
        parts[::2] = [re.sub(r"(?<!`)(?:``([^`\n]+)``|`([^`\n]+)`)(?!`)", link, part) for part in parts[::2]]
        return "".join(parts)

    def pages(self):
        """The path of each page, without its ending, and its text."""
        for folder, title in TITLES.items():
            here = [symbol for symbol in self.symbols if symbol.folder == folder]
            types = {symbol.name: symbol for symbol in reversed(here) if "." not in symbol.name}
            text, heading = [f"# Swift: {title}"], None

            def around(symbol):
                return types.get(symbol.name.split(".")[0], symbol)

            for symbol in sorted(here, key=lambda symbol: (around(symbol).place, symbol.place)):
                if symbol.name != heading:  # otherwise another form of it
                    heading = symbol.name
                    text.append(f"{'##' if around(symbol) is symbol else '###'} `{heading}`")
                comment = re.sub(r"^- Parameter (\w+):", r"- `\1`:", symbol.comment, flags=re.M)
                text += [f"```swift\n{symbol.declaration}\n```", self.linked(comment, "../../", symbol)]
            yield page(folder), "\n\n".join(text) + "\n"


def main():
    found, known = symbols(*sys.argv[1:]), declarations()[0]
    complaints = [f"{symbol.place[0]}:{symbol.place[1] + 1}: {symbol.name} is not documented"
                  for symbol in found if not symbol.comment.strip()]
    complaints += [f"{symbol.place[0]}:{symbol.place[1] + 1}: {symbol.name} returns a Signal without its types"
                   for symbol in found if re.search(r"-> Signal(?![<\w])", symbol.declaration)]
    # For checks without a build, sources.py reads the declarations of the core without the compiler. It names the
    # members of an extension of a protocol once, at the protocol.
    complaints += [f"{symbol.place[0]}: {symbol.name} is read otherwise by sources.py" for symbol in found
                   if symbol.folder not in ("Convenience", "Members")
                   and not re.match("(?:indirect )?case ", symbol.declaration) and symbol.name not in known
                   and "Disposable." + symbol.name.split(".", 1)[-1] not in known]
    complaints += [f"{folder}: a folder without a title" for folder in {one.folder for one in found} - TITLES.keys()]
    for complaint in complaints:
        print(complaint)
    print("in Swift's reference:", len(found))
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
