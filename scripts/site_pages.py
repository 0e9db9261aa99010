#!/usr/bin/env python3
"""Writes the sources of the documentation site for Sphinx: `site_pages.py DIRECTORY`. The site contains the pages of
docs and of the root folder, the articles for Swift and the references. Each keeps its path, so that relative links stay
valid. A program, header or folder that a page links to becomes a page, too. Python's reference needs the library:
`make docs` builds it."""

import os
import pathlib
import re
import shutil
import sys

import operators
import pictures
import reference
import swift_reference
from docrun import ROOT

ARTICLES = "Sources/SignalKit/SignalKit.docc"
PYTHON = "bindings/python/docs"
# The articles, in the order of the catalog's first page.
GUIDE = [f"{ARTICLES}/{name}.md" for name in
         re.findall(r"<doc:(\w+)>", (ROOT / ARTICLES / "SignalKit.md").read_text(encoding="utf-8"))]
# The groups in the sidebar, in this order: the title, then the page of the group, or a sentence for a page that is
# generated; then patterns of the pages in it. A pattern takes the pages that no earlier pattern has taken.
GROUPS = {
    "Getting started": ("How to write a first program, and the names that you know from other libraries.",
                        ["docs/guide.md", "docs/guide-cpp.md", "docs/coming-from.md"]),
    "Cookbook": ("docs/cookbook.md", ["docs/cookbook/*.md", "docs/recipes.md"]),
    "Operators": ("docs/operators.md", [f"docs/operators/{family}.md" for family in operators.FAMILIES]),
    "Queues, descriptors, processes": (
        "How signals behave on queues and threads, with descriptors, after a fork, and between processes.",
        ["docs/queues.md", "docs/descriptors.md", "docs/processes.md", "docs/bridges.md"]),
    "Debugging": ("How to see what a program consists of, and the guarantees to compare it with.",
                  ["docs/debugging.md", "docs/contract.md"]),
    "C and C++": ("The rules of the C interface, and each function with an example. C++ has the same names.",
                  ["docs/conventions.md", "docs/callbacks.md", "reference/signalkit.md", "reference/*.md",
                   "docs/names.md"]),
    "Swift": ("The articles for Swift programs, and each public symbol.",
              [*GUIDE, *(f"{swift_reference.page(folder)}.md" for folder in swift_reference.TITLES)]),
    "Python": ("bindings/python/README.md",
               [*(f"{PYTHON}/{page}.md" for page in ("guide", "threads", "lifetimes")), f"{PYTHON}/index.rst",
                f"{PYTHON}/*.rst"]),
    "Other languages": ("docs/languages.md", ["bindings/*/README.md", "bindings/*/*/README.md", "docs/bindings.md"]),
    "Project": ("How the library is built, tested, measured, released and developed.",
                ["docs/platforms.md", "docs/benchmarks.md", "docs/reliability.md", "docs/releases.md", "docs/*.md",
                 "docs/*/*.md", "tools/*/*.md", "*.md"]),
}
FENCE = "``````"
# With what pages can play (tools/marbles), where that could be made; and how many frames there are for it behind those
# of a picture.
MARBLES = [ROOT / "tools/marbles/marbles.js", ROOT / "build/marbles/marbles-wasm.js"]
ROOM = 4
PICTURES = (".svg", ".gif", ".png", ".webp")
LANGUAGES = {".c": "c", ".h": "c", ".hpp": "cpp", ".cpp": "cpp", ".py": "python", ".swift": "swift", ".rs": "rust",
             ".go": "go", ".java": "java", ".rb": "ruby", ".lua": "lua", ".pl": "perl", ".sh": "bash"}


def linked(comment):
    """A comment of a header, in Markdown, in which the names of the library are code (so that conf.py links them)."""
    parts = re.split(r"(`[^`]*`|^ {4}.*$)", comment, flags=re.M)
    parts[::2] = [re.sub(r"\b((?:sgk|SGK)_\w+(?:\(\))?)", r"`\1`", part) for part in parts[::2]]
    return re.sub(r"^# ", "## ", "".join(parts), flags=re.M)


def directive(kind, declaration, text):
    return f"{FENCE}{{c:{kind}}} {declaration}\n\n{text}\n{FENCE}\n"


def item_text(item):
    said = [linked(item.comment)]
    for member, value, comment in item.members:
        kind = "enumerator" if value is not None else "member"
        said.append(directive(kind, member + (f" = {value}" if value is not None else ""),
                              linked(comment)).replace(FENCE, "`````"))
    if item.picture:
        said.append(f"![What {item.name} does](../docs/operators/pictures/{item.picture})")
    if item.example:
        prints = f"\n\nprints\n\n```text\n{item.example.prints}\n```" if item.example.prints else ""
        said.append(f"**Example.** {item.example.says}\n\n```c\n{item.example.program.rstrip()}\n```{prints}")
    if item.since != "1.0":
        said.append(f"Since {item.since}.")
    kinds = {"handle": "type", "callback": "type"}
    declaration = re.sub(r"^typedef (struct \w+ (?=\w+$))?|^(struct|enum) |^#define |^static inline (SGK_OWNED )?", "",
                         item.declaration)
    if item.kind == "macro":
        declaration = re.match(r"\w+(\([^)]*\))?", declaration)[0]
    return directive(kinds.get(item.kind, item.kind), declaration, "\n\n".join(said))


def page_text(page):
    text = [f"# {page.title}", f"`#include <{page.file}>`", linked(page.comment)]
    for group in page.groups:
        text += [f"## {group.title}"] if group.title else []
        text += [linked(group.comment)] + [item_text(item) for item in group.items]
    return "\n\n".join(part for part in text if part) + "\n"


def taken(pattern, left):
    """The pages that a pattern means, of those that are left."""
    found = sorted(page for page in left if pathlib.PurePath(page).match(pattern) and
                   page.count("/") == pattern.count("/"))
    left.difference_update(found)
    return found


def in_reference(path):
    """The page of the reference for the declarations of a header or a Swift source."""
    if path.endswith(".h"):
        return f"reference/{pathlib.PurePath(path).stem}.html"
    return swift_reference.page_of(path) + ".html"


def in_index(text, indexed):
    """The page of a family of operators, with names in the index. The search finds the section of an operator by its
    heading and by these names, which differ from all headings."""
    def entries(match):
        names = [name for name in re.findall(r"\[`(?:\w+\.)?(\w+)", match[2]) if not name.lower().startswith("sgk_")]
        own = [name for name in names if operators.words(name) == match[1]]
        new = [name for name in dict.fromkeys([*own, *names]) if name.lower() not in indexed]
        indexed.update(name.lower() for name in new)
        return match[0] + (f"```{{index}} {', '.join(new)}\n```\n" if new else "")
    return re.sub(r"^## (.*)\n\n(Swift: .*)\n", entries, text, flags=re.M)


def toctree(entries, option):
    return f"```{{toctree}}\n:{option}\n\n" + "\n".join(entries) + "\n```\n"


def entry(page):
    return "/" + page.rsplit(".", 1)[0]


def add_groups(made, python):
    """Adds the sidebar to the pages `made`, and generates the missing pages of groups."""
    left = {*made, *python} - {"README.md"} - {top for top, _ in GROUPS.values()}
    tops = []
    for title, (top, patterns) in GROUPS.items():
        pages = [entry(page) for pattern in patterns for page in taken(pattern, left)]
        if top in made:
            head, heading, text = made[top].partition("\n\n")  # in the section of the page, not of its last heading
            made[top] = head + heading + toctree(pages, "hidden:") + "\n" + text
        else:
            name = "groups/" + re.sub(r"\W+", "-", title.lower()) + ".md"
            made[name], top = f"# {title}\n\n{top}\n\n" + toctree(pages, "maxdepth: 1"), name
        tops.append(f"{title} <{entry(top)}>")
    made["README.md"] += "\n" + toctree(tops, "hidden:")


def played():
    """The pictures with which pages play, by their files; none where that could not be made."""
    drawn = pictures.read() if MARBLES[-1].exists() else []
    return {picture.file.name: f"<div>\n{pictures.draw(picture, ROOM)}</div>" for picture in drawn if picture.sources}


class Site:

    def __init__(self, directory):
        self.directory, self.shown = directory, set()
        self.played, self.swift = played(), swift_reference.Reference()
        self.python = [str(path.relative_to(ROOT)) for path in (ROOT / PYTHON).glob("*.rst")]
        self.pages = ["README.md"]
        headings = [re.findall(r"^## (.*)", path.read_text(encoding="utf-8"), flags=re.M)
                    for path in ROOT.glob("docs/operators/*.md")]
        self.indexed = {heading for page in headings for heading in page}
        for pages in ("[!R]*.md", "docs/**/*.md", "bindings/*/*.md", "bindings/*/[!.]*/*.md", "tools/*/*.md", *GUIDE):
            self.pages += [str(path.relative_to(ROOT)) for path in sorted(ROOT.glob(pages))]

    def at(self, page):
        return "index.md" if page == "README.md" else page

    def write(self, page, text):
        place = self.directory / self.at(page)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")

    def page(self, page):
        text = (ROOT / page).read_text(encoding="utf-8")
        if page.startswith(ARTICLES):
            text = re.sub(r"\(doc:(\w+)\)", r"(\1.md)", self.swift.linked(text, "../../../"))
        if page.startswith("docs/operators/"):
            text = in_index(text, self.indexed)
            text = re.sub(r"^!\[.*\]\(pictures/(.*)\)$",
                          lambda match: self.played.get(match[1], match[0]), text, flags=re.M)
        return re.sub(r"(\]\(|(?:src|srcset|href)=\")([^)\s\":#]+)((?:#[^)\s\"]*)?)(?=[)\"])",
                      lambda match: match[1] + self.link(page, match[2], match[3]), text)

    def link(self, page, target, fragment):
        """A link as it is in the site: to a page, or to a picture; other files, and folders, get pages, too."""
        folder = pathlib.PurePath(page).parent
        path = os.path.normpath(folder / target)
        if not (ROOT / path).exists():
            return target + fragment
        declaring = "include/signalkit/", "Sources/SignalKitCore/", "Sources/SignalKit/"
        if fragment and path.startswith(declaring) and not path.endswith("pp"):
            return os.path.relpath(in_reference(path), folder) + fragment
        if path.endswith(PICTURES):
            for place in self.directory / path, self.directory / "_files" / path:
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(ROOT / path, place)
            return target + fragment
        if f"{path}/README.md" in self.pages:
            path += "/README.md"
        if path in self.pages or path in self.python:
            return os.path.relpath(self.at(path).rsplit(".", 1)[0] + ".html", folder) + fragment
        self.file(path)
        return os.path.relpath(path + ".html", folder) + fragment

    def file(self, path):
        """Writes a page that shows a file or lists a folder. Searches do not find its text."""
        if path in self.shown:
            return
        self.shown.add(path)
        targets = {}  # of links, with the numbers of their lines: conf.py
        if (ROOT / path).is_dir():
            files = sorted(file.relative_to(ROOT) for file in (ROOT / path).iterdir() if file.suffix != ".md")
            text = "\n".join(f"- [{file}]({self.link(path, f'{file.parent.name}/{file.name}', '')})" for file in files)
        else:
            text = (ROOT / path).read_text(encoding="utf-8")
            targets = operators.declared_in_cpp(text) if path.endswith(".hpp") else {}
            language = LANGUAGES.get(pathlib.PurePath(path).suffix, "text")
            text = f"{FENCE}{language}\n{text}\n{FENCE}"
        head = ["orphan: true", "nosearch: true"]
        head += ["targets: " + " ".join(f"{name}:{line}" for name, line in targets.items())] if targets else []
        self.write(path + ".md", "\n".join(["---", *head, "---", "", f"# {path}", "", text, ""]))


def main():
    directory = pathlib.Path(sys.argv[1])
    shutil.rmtree(directory, ignore_errors=True)
    (directory / "_static").mkdir(parents=True)
    (directory / "_files").mkdir()
    site = Site(directory)
    headers, _ = reference.read()
    made = {f"reference/{header.header}.md": page_text(header) for header in headers}
    made |= {f"{page}.md": text for page, text in site.swift.pages()}
    shutil.copytree(ROOT / PYTHON, directory / PYTHON)
    for page in site.pages:
        made[page] = site.page(page)
    index = directory / PYTHON / "index.rst"  # whose pages are in the group for Python
    index.write_text(re.sub(r"^\.\. toctree::\n(?: +.*\n|\n)+", "", index.read_text(encoding="utf-8"), flags=re.M))
    add_groups(made, site.python)
    for page, text in made.items():
        site.write(page, text)
    shutil.copytree(ROOT / "docs/operators/pictures", directory / "docs/operators/pictures", dirs_exist_ok=True)
    for script in MARBLES if site.played else []:
        shutil.copyfile(script, directory / "_static" / script.name)
    shutil.copyfile(ROOT / "docs/conf.py", directory / "conf.py")
    for file in "site.css", "site.js":
        shutil.copyfile(ROOT / "docs" / file, directory / "_static" / file)


if __name__ == "__main__":
    main()
