#!/usr/bin/env python3
"""Draws a timeline of a trace in Chrome's format, which examples/c/timeline.c writes: `timeline.py <trace.json >svg`.

Each thread has a lane. Callbacks are boxes, other events are marks below them, and hops are arrows between lanes. The
time axis ends with the last callback."""
import json
import sys
from html import escape

WIDTH, LEFT, TOP, LANE, BOX = 960, 90, 26, 92, 34
COLOURS = ["#0b6bcb", "#9a6700", "#1a7f37", "#8250df"]
SCALE = 1000  # microseconds, of the bar that says how long they are


def slices(events):
    """The callbacks, (thread, name, begin, end), from the begin and end events of each thread."""
    open_ones = {}
    for event in events:
        if event["ph"] == "B":
            open_ones.setdefault(event["tid"], []).append(event)
        elif event["ph"] == "E":
            begun = open_ones[event["tid"]].pop()
            yield event["tid"], begun["name"], begun["ts"], event["ts"]


def text(x, y, words, more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" {more}>{escape(words)}</text>'


def line(x1, y1, x2, y2, more):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" {more}/>'


def drawn(events):
    calls = list(slices(events))
    first, last = min(call[2] for call in calls) - 40, max(call[3] for call in calls)
    threads = list(dict.fromkeys(event["tid"] for event in events if "tid" in event))
    names = sorted({call[1] for call in calls})
    events = [event for event in events if "ts" in event and first <= event["ts"] <= last]
    height = TOP + LANE * len(threads) + 34
    along = lambda time: LEFT + (time - first) / (last - first) * (WIDTH - LEFT - 20)
    lane = lambda thread: TOP + LANE * threads.index(thread)
    yield (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif"'
           ' font-size="13">')
    yield ('<defs><marker id="end" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
           '<path d="M0 0 8 4 0 8z" fill="#57606a"/></marker></defs>')
    yield f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>'
    for number, thread in enumerate(threads, 1):
        yield f'<rect x="0" y="{lane(thread)}" width="{WIDTH}" height="{LANE - 12}" fill="#f6f8fa"/>'
        yield text(10, lane(thread) + 30, f"thread {number}", 'fill="#1f2328"')
    for event in events:
        if event["ph"] == "i":
            x, y = along(event["ts"]), lane(event["tid"]) + BOX + 16
            yield line(x, y, x, y + 12, 'stroke="#57606a"')
    for thread, name, begin, end in calls:
        x, y, width = along(begin), lane(thread) + 8, along(end) - along(begin)
        colour = COLOURS[names.index(name) % len(COLOURS)]
        yield f'<svg x="{x:.1f}" y="{y}" width="{max(width, 1):.1f}" height="{BOX}">'
        yield f'<rect width="100%" height="100%" fill="{colour}" stroke="#ffffff"/>'
        yield text(6, 22, name, 'fill="#ffffff"') + "</svg>"
    starts = {}
    for event in events:
        if event["ph"] == "s":
            starts[event["id"]] = event
        elif event["ph"] == "f" and event["id"] in starts:
            from_lane, to_lane = lane(starts[event["id"]]["tid"]), lane(event["tid"])
            x = along(event["ts"])
            ends = (from_lane + BOX + 12, to_lane + 7) if from_lane < to_lane else (from_lane, to_lane + LANE - 12)
            yield line(x, ends[0], x, ends[1], 'stroke="#57606a" marker-end="url(#end)"')
    x, y = LEFT, TOP + LANE * len(threads) + 8
    bar = along(first + SCALE) - LEFT
    yield line(x, y, x + bar, y, 'stroke="#1f2328" stroke-width="2"')
    yield text(x + bar + 8, y + 5, f"{SCALE // 1000} ms", 'fill="#1f2328"')
    yield "</svg>"


print("\n".join(drawn(json.load(sys.stdin))))
