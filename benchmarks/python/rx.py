"""reactivex, the Rx of Python."""

from reactivex.operators import filter, map
from reactivex.subject import Subject

import frames
from frames import is_odd, plus_one
from harness import run

NAME = "reactivex"


def ten_maps(count):
    source = Subject()
    return frames.ten_maps(count, source.on_next, source.pipe(*[map(plus_one)] * 10).subscribe)


def broadcast(count):
    source = Subject()
    return frames.broadcast(count, source.on_next, source.subscribe)


def subscribe_and_dispose(count):
    source = Subject()
    return frames.subscribe_and_dispose(count, source.on_next, source.pipe(map(plus_one), filter(is_odd)).subscribe)


run([
    ("W11.maps", NAME, 50_000, ten_maps),
    ("W11.broadcast", NAME, 300_000, broadcast),
    ("W11.subscribe", NAME, 10_000, subscribe_and_dispose),
])
