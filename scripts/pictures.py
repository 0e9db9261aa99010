#!/usr/bin/env python3
"""Draws the marble pictures of docs/operators from the calls of `picture(…)` in Tests/SignalKitTests/Pictures, which the tests run.

Writes docs/operators/pictures/*.svg. With --check it writes nothing and fails where a picture is not what it would be."""

import argparse
import re
import sys
from html import escape
from typing import NamedTuple

from sources import ROOT

TESTS = ROOT / "Tests/SignalKitTests/Pictures"
PICTURES = ROOT / "docs/operators/pictures"

# ---- Reading ----


class Picture(NamedTuple):
    operator: str
    code: str
    sources: list[str]
    result: str
    values: dict[str, str]

    @property
    def file(self):
        words = re.findall(r"[A-Za-z0-9]+", self.operator)
        return PICTURES / ("-".join(words) + ".svg")


STRING = r'(?:#"((?:(?!"#).)*)"#|"((?:[^"\\]|\\.)*)")'
CALL = re.compile(
    rf"picture\(\s*{STRING},\s*{STRING},\s*\[((?:\s*{STRING},?)*)\s*\],\s*{STRING}(?:,\s*\[((?:\s*{STRING}:\s*{STRING},?)*)\s*\])?\s*\) \{{"
)


def texts(code):
    """The string literals in a piece of Swift."""
    return [raw or re.sub(r"\\(.)", r"\1", plain) for raw, plain in re.findall(STRING, code)]


def closure(text, start):
    """The closure that begins before `start`."""
    depth = 1
    for index in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[index], 0)
        if depth == 0:
            return text[start:index]
    return ""


def read():
    """The pictures, in the order of their files; ends the program where a call has another form, or shows other code than it runs."""
    found = []
    for path in sorted(TESTS.glob("*Pictures.swift")):
        text = path.read_text(encoding="utf-8")
        calls = list(CALL.finditer(text))
        if len(calls) != text.count("picture("):
            sys.exit(f"{path.name}: {text.count('picture(') - len(calls)} pictures in a form that is not understood")
        for call in calls:
            whole = call.group(0)
            sources, values = (texts(call.group(group) or "") for group in (5, 10))
            operator, code, *_ = texts(whole)
            result = texts(whole)[2 + len(sources)]
            if code not in closure(text, call.end()):
                sys.exit(f"{path.name}: {operator}: the picture shows {code!r}, which its closure does not have")
            found.append(Picture(operator, code, sources, result, dict(zip(values[::2], values[1::2]))))
    return found


def events(diagram):
    """What a diagram shows: (frame, marks that happen there); and at which frame it stops."""
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
        f'<rect x="{x - width / 2:g}" y="{y - RADIUS}" width="{width}" height="{2 * RADIUS}" rx="{RADIUS}" fill="{colour(text.strip("[(") or text)}"/>'
        f'<text x="{x}" y="{y + 5}" fill="#fff">{escape(text)}</text>'
    )


def timeline(diagram, y, values, frames):
    happened, _ = events(diagram)
    right = LEFT + (frames + 0.6) * FRAME
    out = [f'<path d="M{LEFT - 10} {y}H{right:g}m-8 -5l8 5l-8 5" fill="none" stroke="#666" stroke-width="1.5"/>']
    for frame, marks in sorted(happened.items()):
        # What happens at once stands one below the other, the first on top.
        shown = [mark for mark in marks if mark not in "|#"]
        for place, mark in reversed(list(enumerate(shown))):
            out.append(marble(LEFT + frame * FRAME, y + place * 1.25 * RADIUS, values.get(mark, mark)))
        x = LEFT + frame * FRAME + (RADIUS + 5 if shown else 0)
        if "|" in marks:
            out.append(f'<path d="M{x} {y - 16}v32" stroke="#333" stroke-width="3"/>')
        if "#" in marks:
            out.append(f'<path d="M{x - 9} {y - 9}l18 18m0 -18l-18 18" stroke="#c22" stroke-width="3"/>')
    deepest = max((len([mark for mark in marks if mark not in "|#"]) for marks in happened.values()), default=1)
    return out, max(deepest - 1, 0) * 1.25 * RADIUS


def draw(picture):
    frames = max(events(diagram)[1] for diagram in [*picture.sources, picture.result])
    # What an ending group takes as characters it does not take as time.
    width = max(LEFT + (frames + 1) * FRAME, 9 * len(picture.code) + 2 * LEFT)
    y, body = 26, []
    for diagram in picture.sources:
        drawn, deeper = timeline(diagram, y, {}, frames)
        body += drawn
        y += LINE + deeper
    body.append(f'<rect x="6" y="{y - 18:g}" width="{width - 12}" height="32" rx="6" fill="#f3f3f6" stroke="#bbb"/>')
    body.append(f'<text x="{width / 2:g}" y="{y + 3:g}" class="code">{escape(picture.code)}</text>')
    y += LINE
    drawn, deeper = timeline(picture.result, y, picture.values, frames)
    body += drawn
    height = y + deeper + 26
    style = "text{font:14px sans-serif;text-anchor:middle}.code{font:13px monospace;fill:#222}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}" role="img">\n'
        f"<title>{escape(picture.operator)}: {escape(', '.join(picture.sources))} becomes {escape(picture.result)}</title>\n"
        f'<style>{style}</style>\n<rect width="100%" height="100%" rx="8" fill="#fff"/>\n' + "\n".join(body) + "\n</svg>\n"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; fail where a picture is not what it would be")
    check = parser.parse_args().check
    drawn = {picture.file: draw(picture) for picture in read()}
    PICTURES.mkdir(parents=True, exist_ok=True)
    there = set(PICTURES.glob("*.svg"))
    stale = {path for path in there | set(drawn) if path not in drawn or path not in there or path.read_text(encoding="utf-8") != drawn[path]}
    if check and stale:
        sys.exit("stale; run scripts/pictures.py: " + ", ".join(sorted(path.name for path in stale)))
    for path in stale:
        path.write_text(drawn[path], encoding="utf-8") if path in drawn else path.unlink()
    print(f"{len(drawn)} pictures")


if __name__ == "__main__":
    main()
