#!/usr/bin/python3
"""Tests the playable marble pictures of a site in headless Chromium: `play.py DIRECTORY`.

Unmoved marbles must give the result in the picture. After a move with the mouse or the keyboard, the result must be
that of the C library (in Python, in virtual time). Without scripts, or without WebAssembly, the pictures must be
visible, without an error message."""

import json
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
os.environ.setdefault("SIGNALKIT_LIBRARY", str(ROOT / "build/embedded/lib/libsignalkit.so"))
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "bindings/python/src")]

import libsignalkit as sgk  # noqa: E402
from browse import Browser  # noqa: E402

# Operators that the C library does not have.
NOT_PLAYED = ["debug_measureTimeToFirstEvent(label:to:)"]
SHOWN = """[...document.querySelectorAll("svg.marbles")].map(svg => ({
    name: svg.dataset.operator, code: svg.dataset.code, ready: "ready" in svg.dataset,
    lines: [...svg.querySelectorAll(".source, .result")].map(line => JSON.parse(line.dataset.events)),
    drawn: [...svg.querySelectorAll(".result")].map(line => line.innerHTML.trim())
}))"""
# Waits until there is an element.
READY = """(selector => new Promise(done => { const look = () => {
    if (document.querySelector(selector)) done(); else setTimeout(look, 20);
}; look(); }))"""
# Of the picture with that code, the middle of a mark of a source, and how wide a frame is.
PLACE = """((code, source, mark) => {
    const svg = [...document.querySelectorAll("svg.marbles")].find(svg => svg.dataset.code === code);
    svg.scrollIntoView({ block: "center", behavior: "instant" });
    const found = svg.querySelectorAll(".source")[source].querySelector(`[data-index="${mark}"]`);
    const { x, y, width, height } = found.getBoundingClientRect();
    found.focus();
    return [x + width / 2, y + height / 2, 34 * svg.getScreenCTM().a];
})"""
AGAIN = """(code => [...document.querySelectorAll("svg.marbles")].find(svg => svg.dataset.code === code)
    .nextElementSibling.querySelector("button"))"""
# The page and the code; the source, its mark and the number of frames to move; the same pipeline for the library.
MOVES = [
    ("timing", "debounce(2, queue: queue)", 0, 1, 3, lambda queue, a: a.debounce(2, queue=queue)),
    ("timing", "throttle(3, queue: queue)", 0, 3, 2, lambda queue, a: a.throttle(3, queue=queue)),
    ("timing", "delay(2, queue: queue)", 0, 2, 3, lambda queue, a: a.delay_start(2, queue=queue)),
    ("combining", "mergeSignals([a, b])", 1, 0, 2, lambda queue, a, b: sgk.merge(a, b)),
    ("combining", "combineLatest([a, b])", 1, 0, -3, lambda queue, a, b: sgk.combine_latest(a, b).map("".join)),
    ("combining", "withLatestFrom(b) { $0 + $1 }", 0, 1, -2, lambda queue, a, b: a.with_latest_from(b).map("".join)),
    ("inner", "mapToSignal { _ in b }", 0, 1, -1, lambda queue, a, b: a.switch_map(lambda _: b)),
    ("sequence", "`catch` { _ in b }", 0, 2, 2, lambda queue, a, b: a.catch(lambda _: b)),
    ("taking", "take(untilSignal: b)", 1, 0, 2, lambda queue, a, b: a.take_until(b)),
]


def said_by_library(make, sources):
    """The events that the C library emits for these events of the sources."""
    queue, seen = sgk.VirtualQueue(), []

    def happen(subscriber, mark):
        if mark == "|":
            subscriber.complete()
        elif mark == "#":
            subscriber.error(ValueError("#"))
        else:
            subscriber.next(mark)

    def source(events):
        def generate(subscriber):
            return sgk.DisposableBag(*[
                queue.after(frame, lambda mark=mark: happen(subscriber, mark)) for frame, mark in events])

        return sgk.Signal.create(generate)

    def see(mark):
        seen.append([int(queue.now), mark])

    ends = {"on_error": lambda _: see("#"), "on_completed": lambda: see("|")}
    queue.after(0, lambda: make(queue, *map(source, sources)).start(see, **ends))
    queue.run(10_000)
    return seen


def plain(drawn):
    """A drawing with its numbers as JavaScript writes them."""
    return [re.sub(r"\.0(?!\d)", "", text) for text in drawn]


def begun(browser, page):
    browser.visit(page.as_uri())
    browser.ask(f"{READY}('html[data-marbles]')")


def unplayed(browser, page):
    """Compares the answers to the marbles as they are with the pictures, which are there without scripts, too."""
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    browser.visit(page.as_uri())
    pictures = browser.ask(SHOWN)
    browser.call("Emulation.setScriptExecutionDisabled", value=False)
    begun(browser, page)
    for picture, played in zip(pictures, browser.ask(SHOWN), strict=True):
        name = f"{page.name}: {picture['name']}: {picture['code']}"
        if played["ready"] == (picture["name"] in NOT_PLAYED):
            yield f"{name}: {'can' if played['ready'] else 'cannot'} be played with"
        if picture["ready"] or not any(picture["drawn"]):
            yield f"{name}: without scripts there is no picture"
        if picture["lines"] != played["lines"]:
            yield f"{name}: the library answers {played['lines']}, the picture shows {picture['lines']}"
        elif plain(picture["drawn"]) != plain(played["drawn"]):
            yield f"{name}: is drawn otherwise: {played['drawn']}, not {picture['drawn']}"
    yield from (f"{page.name} says: {text}" for text in browser.said)


def by_mouse(browser, place, frames):
    x, y, width = place
    for kind, at, held in ("Pressed", x, 1), ("Moved", x + frames * width / 2, 1), ("Moved", x + frames * width, 1), (
            "Released", x + frames * width, 0):
        browser.call("Input.dispatchMouseEvent", type=f"mouse{kind}", x=at, y=y, button="left", buttons=held,
                     clickCount=1)


def by_keys(browser, place, frames):
    key = "ArrowRight" if frames > 0 else "ArrowLeft"
    for _ in range(abs(frames)):
        browser.call("Input.dispatchKeyEvent", type="keyDown", key=key, code=key)
        browser.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=key)


def picture_now(browser, code):
    browser.ask(f"{READY}({json.dumps(f'[data-code={json.dumps(code)}][data-ready]')})")
    return next(picture["lines"] for picture in browser.ask(SHOWN) if picture["code"] == code)


def played(browser, directory):
    """Moves marbles, each by the mouse and by keys, and has them go back."""
    for page, code, source, mark, frames, make in MOVES:
        for way in by_mouse, by_keys:
            begun(browser, directory / f"docs/operators/{page}.html")
            before = picture_now(browser, code)
            way(browser, browser.ask(f"{PLACE}({json.dumps(code)}, {source}, {mark})"), frames)
            after = picture_now(browser, code)
            name, moved = f"{code} {way.__name__}", json.loads(json.dumps(before[:-1]))
            moved[source][mark][0] += frames
            if after[:-1] != moved:
                yield f"{name}: the marbles are {after[:-1]}, not {moved}"
            elif after[-1] == before[-1] or after[-1] != said_by_library(make, after[:-1]):
                yield f"{name}: {after[-1]}, not {said_by_library(make, after[:-1])}"
            browser.ask(f"{AGAIN}({json.dumps(code)}).click()")
            if picture_now(browser, code) != before or not browser.ask(f"{AGAIN}({json.dumps(code)}).hidden"):
                yield f"{name}: does not go back"
            yield from (f"{name} says: {text}" for text in browser.said)


def without_webassembly(browser, page):
    browser.call("Page.addScriptToEvaluateOnNewDocument", source="delete window.WebAssembly")
    browser.visit(page.as_uri())
    shown = browser.ask(SHOWN)
    if not shown or any(picture["ready"] or not any(picture["drawn"]) for picture in shown):
        yield "without WebAssembly the pictures are not what they are"
    yield from (f"without WebAssembly: {text}" for text in browser.said)


def main():
    directory = pathlib.Path(sys.argv[1]).resolve()
    pages = sorted((directory / "docs/operators").glob("*.html"))
    pages = [page for page in pages if 'class="marbles"' in page.read_text(encoding="utf-8")]
    if not pages:
        print("skipped: this toolchain makes no WebAssembly")
        return
    browser = Browser()
    found = [fault for page in pages for fault in unplayed(browser, page)]
    found += played(browser, directory)
    found += without_webassembly(browser, pages[0])
    browser.close()
    print("\n".join([*found, f"{len(pages)} pages, {2 * len(MOVES)} moves"]))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
