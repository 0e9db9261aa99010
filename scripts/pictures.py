#!/usr/bin/env python3
"""Draws the marble pictures of docs/operators from the calls of `picture(…)` in Tests/SignalKitTests/Pictures, which
the tests run.

Writes docs/operators/pictures/*.svg. With --check it writes nothing and fails where a picture is not what it would be.
"""

import argparse
import json
import re
import sys
from html import escape
from typing import NamedTuple

from sources import ROOT

TESTS = ROOT / "Tests/SignalKitTests/Pictures"
PICTURES = ROOT / "docs/operators/pictures"

# ---- Reading ----


class Line(NamedTuple):
    """The events of a subscriber from its subscription to its disposal, the calls of an operator, or the pauses of a
    source."""

    label: str
    subscription: str
    diagram: str


class Picture(NamedTuple):
    operator: str
    name: str
    code: str
    sources: list[str]
    results: list[Line]
    values: dict[str, str]

    @property
    def file(self):
        return PICTURES / (self.name + ".svg")


STRING = r'(?:#"(?:(?!"#).)*"#|"(?:[^"\\]|\\.)*")'
PAIRS = rf"(?:\s*{STRING}:\s*{STRING},?)*\s*"
CALL = re.compile(
    rf"picture\(\s*(?P<operator>{STRING}),\s*(?P<code>{STRING}),\s*\[(?P<sources>(?:\s*{STRING},?)*)\s*\],"
    rf"\s*(?:(?P<result>{STRING})|\[(?P<results>{PAIRS})\])(?:,\s*\[(?P<values>{PAIRS})\])?"
    rf"(?:,\s*called:\s*(?P<called>{STRING}))?(?:,\s*paused:\s*(?P<paused>{STRING}))?\s*\)\s*\{{"
)


def texts(code):
    """The string literals in a piece of Swift."""
    return [
        text[2:-2] if text.startswith("#") else re.sub(r"\\(.)", r"\1", text[1:-1])
        for text in re.findall(STRING, code or "")
    ]


def pairs(code):
    found = texts(code)
    return list(zip(found[::2], found[1::2]))


def closure(text, start):
    """The closure that begins before `start`, without white space, which depends on the format."""
    depth = 1
    for index in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[index], 0)
        if depth == 0:
            # The tests import the core alone; programs write the name of the module that they import.
            return "".join(text[start:index].replace("SignalKitCore.", "SignalKit.").split())
    return ""


def read():
    """The pictures, in the order of their files; ends the program where a call has another form, or shows other code
    than it runs."""
    found, named = [], {}
    for path in sorted(TESTS.glob("*Pictures.swift")):
        text = path.read_text(encoding="utf-8")
        calls = list(CALL.finditer(text))
        if len(calls) != text.count("picture("):
            sys.exit(f"{path.name}: {text.count('picture(') - len(calls)} pictures in a form that is not understood")
        for call in calls:
            operator, code = texts(call["operator"] + call["code"])
            if "".join(code.split()) not in closure(text, call.end()):
                sys.exit(f"{path.name}: {operator}: the picture shows {code!r}, which its closure does not have")
            results = pairs(call["results"]) or [("^", *texts(call["result"]))]
            lines = [Line("", *result) for result in results] + [Line("called", "^", d) for d in texts(call["called"])]
            lines += [Line("paused", "^", re.sub("[!^]", "-", d)) for d in texts(call["paused"])]
            name = "-".join(re.findall(r"[A-Za-z0-9]+", operator))
            named[name] = named.get(name, 0) + 1
            if named[name] > 1:
                name += f"-{named[name]}"
            found.append(Picture(operator, name, code, texts(call["sources"]), lines, dict(pairs(call["values"]))))
    return found


def events(diagram):
    """The events of a diagram, (frame, marks), and its last frame."""
    found, frame, group = {}, 0, None
    for mark in diagram.replace(" ", ""):
        if mark == "(":
            group = frame
        elif mark == ")":
            group = None
        elif mark != "-":
            found.setdefault(frame if group is None else group, []).append(mark)
        frame += 1
    return found, frame


# ---- Drawing ----

FRAME, LINE, LEFT, RADIUS = 34, 48, 24, 14
COLOURS = ["#4e79a7", "#f28e2b", "#59a14f", "#b07aa1", "#e15759", "#76b7b2", "#9c755f", "#edc948"]


def colour(text):
    return COLOURS[(ord(text[0]) - (ord("1") if text[0].isdigit() else ord("a"))) % len(COLOURS)]


def marble(x, y, text):
    width = max(2 * RADIUS, 8 * len(text) + 12)
    return (
        f'<rect x="{x - width / 2:g}" y="{y - RADIUS}" width="{width}" height="{2 * RADIUS}" rx="{RADIUS}" '
        f'fill="{colour(text.strip("[(") or text)}"/>'
        f'<text x="{x}" y="{y + 5}" fill="#fff">{escape(text)}</text>'
    )


def axis(y, frames, subscription="^"):
    """The line of a diagram, as far as its listener is there."""
    begin = LEFT + subscription.index("^") * FRAME
    out = [f'<path d="M{LEFT - 10} {y}H{begin}" stroke="#bbb" stroke-dasharray="2 4"/>'] if begin > LEFT else []
    if "!" in subscription:
        left = LEFT + subscription.index("!") * FRAME
        out.append(f'<path d="M{begin - 10} {y}H{left}m0 -7v14" fill="none" stroke="#666" stroke-width="1.5"/>')
    else:
        right = LEFT + (frames + 0.6) * FRAME
        out.append(
            f'<path d="M{begin - 10} {y}H{right:g}m-8 -5l8 5l-8 5" fill="none" stroke="#666" stroke-width="1.5"/>'
        )
    return out


def marks_on(diagram, y, values=None):
    """The marks of a line, and their depth below it. (tools/marbles/marbles.js draws the same.)"""
    happened, _ = events(diagram)
    out = []
    for frame, marks in sorted(happened.items()):
        # Simultaneous marks are stacked, the first on top.
        shown = [mark for mark in marks if mark not in "|#"]
        for place, mark in reversed(list(enumerate(shown))):
            text = (values or {}).get(mark, mark)
            out.append(marble(LEFT + frame * FRAME, y + place * 1.25 * RADIUS, text))
        x = LEFT + frame * FRAME + (RADIUS + 5 if shown else 0)
        if "|" in marks:
            out.append(f'<path d="M{x} {y - 16}v32" stroke="#333" stroke-width="3"/>')
        if "#" in marks:
            out.append(f'<path d="M{x - 9} {y - 9}l18 18m0 -18l-18 18" stroke="#c22" stroke-width="3"/>')
    deepest = max((len([mark for mark in marks if mark not in "|#"]) for marks in happened.values()), default=1)
    return out, max(deepest - 1, 0) * 1.25 * RADIUS


def said(line):
    """A line in words, for screen readers."""
    parts = [line.label, "" if line.subscription == "^" else f"({line.subscription})", line.diagram]
    return " ".join(part for part in parts if part)


def draw(picture, room=None):
    """The picture. With `room`, a number of additional frames, a page can make it playable: the marks of each line
    are in a group."""
    scope = "" if room is None else ".marbles "

    def line(kind, diagram, values=None, subscription="^"):
        drawn, deeper = marks_on(diagram, y, values)
        if room is not None:
            happened = sorted(events(diagram)[0].items())
            shown = [[frame, (values or {}).get(mark, mark)] for frame, marks in happened for mark in marks]
            deeper = max(deeper, 1.25 * RADIUS)  # for two that are moved to the same frame
            known = escape(json.dumps(shown))
            drawn = [f'<g class="{kind}" data-y="{y:g}" data-events="{known}">', *drawn, "</g>"]
        return axis(y, frames, subscription) + drawn, deeper

    # The characters of a group at the end take no time.
    diagrams = [*picture.sources, *(result.diagram for result in picture.results)]
    frames = (room or 0) + max(events(diagram)[1] for diagram in diagrams)
    label = 60 if any(result.label for result in picture.results) else 0
    width = max(LEFT + (frames + 1) * FRAME + label, 9 * len(picture.code) + 2 * LEFT)
    y, body = 26, []
    for diagram in picture.sources:
        drawn, deeper = line("source", diagram)
        body += drawn
        y += LINE + deeper
    body.append(f'<rect x="6" y="{y - 18:g}" width="{width - 12}" height="32" rx="6" fill="#f3f3f6" stroke="#bbb"/>')
    body.append(f'<text x="{width / 2:g}" y="{y + 3:g}" class="code">{escape(picture.code)}</text>')
    for result in picture.results:
        y += LINE
        drawn, deeper = line("result", result.diagram, picture.values, result.subscription)
        body += drawn
        if result.label:
            x = LEFT + (frames + 1) * FRAME + 20
            body.append(f'<text x="{x:g}" y="{y + 4:g}" class="code">{result.label}</text>')
        y += deeper
    height = y + 26
    style = f"{scope}text{{font:14px sans-serif;text-anchor:middle}}{scope}.code{{font:13px monospace;fill:#222}}"
    known = {"class": "marbles", "data-operator": picture.operator, "data-code": picture.code, "data-frames": frames}
    played = "" if room is None else "".join(f' {name}="{escape(str(text))}"' for name, text in known.items())
    title = f"{picture.operator}: {', '.join(picture.sources)} becomes {', '.join(map(said, picture.results))}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" role="img"{played}>\n'
        f"<title>{escape(title)}</title>\n"
        f'<style>{style}</style>\n<rect width="100%" height="100%" rx="8" fill="#fff"/>\n'
        + "\n".join(body)
        + "\n</svg>\n"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--check", action="store_true", help="write nothing; fail where a picture is not what it would be"
    )
    check = parser.parse_args().check
    mark = "<!-- Generated by scripts/pictures.py. Do not edit. -->\n"
    drawn = {picture.file: mark + draw(picture) for picture in read()}
    PICTURES.mkdir(parents=True, exist_ok=True)
    there = set(PICTURES.glob("*.svg"))
    stale = {
        path
        for path in there | set(drawn)
        if path not in drawn or path not in there or path.read_text(encoding="utf-8") != drawn[path]
    }
    if check and stale:
        sys.exit("stale; run scripts/pictures.py: " + ", ".join(sorted(path.name for path in stale)))
    for path in stale:
        path.write_text(drawn[path], encoding="utf-8") if path in drawn else path.unlink()
    print(f"{len(drawn)} pictures")


if __name__ == "__main__":
    main()
