"""reactivex, the Rx of Python."""

import threading

import reactivex
from reactivex.operators import (
    buffer_with_count,
    debounce,
    filter,
    flat_map,
    map,
    observe_on,
    retry,
    scan,
    share,
    take,
    with_latest_from,
    zip,
)
from reactivex.scheduler import EventLoopScheduler, VirtualTimeScheduler
from reactivex.subject import BehaviorSubject, Subject

import frames
from frames import CHUNK, SECONDS, add, difference, is_odd, plus_one
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


def through(frame, *operators):
    """A subject through operators, measured by `frame`."""

    def measure(count):
        source = Subject()
        return frame(count, source.on_next, source.pipe(*operators).subscribe)

    return measure


def across(count):
    return through(frames.across, map(plus_one), take(count + 1), share(), map(plus_one))(count)


def hop(count):
    return through(frames.hopping, map(plus_one), observe_on(EventLoopScheduler()), map(plus_one))(count)


def interval(count):
    clock = VirtualTimeScheduler()
    return frames.ticking(count, reactivex.interval(1, scheduler=clock).subscribe, clock.advance_by)


def zip_two(count):
    left, right = Subject(), Subject()
    return frames.zipped(count, left.on_next, right.on_next, left.pipe(zip(right)).subscribe)


def latest(count):
    source, other = Subject(), BehaviorSubject(0)
    sums = source.pipe(with_latest_from(other), map(lambda pair: add(*pair)))
    return frames.passing(count, source.on_next, sums.subscribe)


def retries(count):
    def start(attempt, receive):
        return reactivex.defer(attempt).pipe(retry(count)).subscribe(receive)

    return frames.retried(count, start, reactivex.throw, reactivex.just)


def modify(count):
    """reactivex has no atomic change of a state, so the program uses a lock."""
    state, lock = BehaviorSubject(0), threading.Lock()

    def change(function):
        with lock:
            state.on_next(function(state.value))

    return frames.modified(count, change, state.subscribe)


run([
    ("W11.maps", NAME, 50_000, ten_maps),
    ("W11.broadcast", NAME, 300_000, broadcast),
    ("W11.subscribe", NAME, 10_000, subscribe_and_dispose),
    ("W11.border", NAME, 50_000, across),
    ("W11.hop", NAME, 20_000, hop),
    ("W11.interval", NAME, 20_000, interval),
    ("W11.scan", NAME, 50_000, through(frames.scan, scan(difference, 0))),
    ("W11.fused", NAME, 50_000, through(frames.fused, map(plus_one), filter(is_odd), scan(difference, 0))),
    ("W11.retry", NAME, 5_000, retries),
    ("W11.merged", NAME, 10_000, through(frames.passing, flat_map(reactivex.of))),
    ("W11.zip", NAME, 20_000, zip_two),
    ("W11.latest", NAME, 20_000, latest),
    ("W11.share", NAME, 50_000, through(frames.passing, share())),
    ("W11.chunked", NAME, 20_000, through(frames.in_chunks, buffer_with_count(CHUNK))),
    ("W11.debounce", NAME, 2_000, through(frames.debounced, debounce(SECONDS))),
    ("W11.modify", f"{NAME}, under a lock", 50_000, modify),
])
