"""This library, through bindings/python."""

import threading
import time

import frames
from frames import CHUNK, SECONDS, add, difference, is_odd, plus_one
from harness import check, run, sum_of

from libsignalkit import Pipe, Queue, Signal, State, VirtualQueue, zip
from libsignalkit.operators import (
    chunked,
    debounce,
    deliver_on,
    filter,
    map,
    merge_map,
    retry,
    scan,
    share,
    take,
    with_latest_from,
)

NAME = "SignalKit (Python)"


def ten_maps(count):
    pipe = Pipe()
    signal = pipe.signal
    for _ in range(10):
        signal = signal | map(plus_one)
    return frames.ten_maps(count, pipe.next, signal.start)


def broadcast(count):
    pipe = Pipe()
    return frames.broadcast(count, pipe.next, pipe.signal.start)


def subscribe_and_dispose(count):
    pipe = Pipe()
    return frames.subscribe_and_dispose(count, pipe.next, (pipe.signal | map(plus_one) | filter(is_odd)).start)


def through(frame, *operators):
    """A pipe through operators, measured by `frame`."""

    def measure(count):
        pipe = Pipe()
        signal = pipe.signal
        for operator in operators:
            signal = signal | operator
        return frame(count, pipe.next, signal.start)

    return measure


def across(count):
    return through(frames.across, map(plus_one), take(count + 1), share(), map(plus_one))(count)


def hop(count):
    return through(frames.hopping, map(plus_one), deliver_on(Queue()), map(plus_one))(count)


def interval(count):
    clock = VirtualQueue()
    return frames.ticking(count, Signal.interval(1, queue=clock).start, clock.advance)


def read(count):
    async def reading():
        total = 0
        async for number in Signal.from_iterable(range(count)):
            total += number
        return total

    return frames.read(count, reading)


def zip_two(count):
    left, right = Pipe(), Pipe()
    return frames.zipped(count, left.next, right.next, zip(left.signal, right.signal, limit=1).start)


def latest(count):
    pipe, other = Pipe(), Pipe()
    signal = pipe.signal | with_latest_from(other.signal, add)

    def start(receive):
        run = signal.start(receive)
        other.next(0)
        return run

    return frames.passing(count, pipe.next, start)


def retries(count):
    def start(attempt, receive):
        return (Signal.deferred(attempt) | retry(count, delay=0, queue=VirtualQueue())).start(receive)

    return frames.retried(count, start, Signal.fail, Signal.just)


def modify(count):
    state = State(0)
    return frames.modified(count, state.update, state.signal.start)


def to_queue(clock, **bound):
    """A range to a queue, until its end has arrived."""

    def measure(count):
        arrived, numbers, total = threading.Event(), 0, 0

        def receive(number):
            nonlocal numbers, total
            numbers += 1
            total += number

        signal = Signal.range(0, count) | deliver_on(Queue(), **bound)
        start = clock()
        run = signal.start(receive, on_completed=arrived.set)
        arrived.wait()
        measured = (clock() - start) / count
        run.dispose()
        if bound.get("overflow") != "drop_oldest":
            check((numbers, total), (count, sum_of(count)), "the values")
        return measured

    return measure


LIMITS = {
    "none": {},
    "pause": {"limit": 1024, "overflow": "pause"},
    "oldest": {"limit": 1024, "overflow": "drop_oldest"},
}

run([
    *[
        (f"W24.{name}{kind}", NAME, 200_000, to_queue(clock, **bound))
        for name, bound in LIMITS.items()
        for kind, clock in (("", time.perf_counter_ns), (".work", time.process_time_ns))
    ],
    ("W11.maps", NAME, 200_000, ten_maps),
    ("W11.broadcast", NAME, 1_000_000, broadcast),
    ("W11.subscribe", NAME, 50_000, subscribe_and_dispose),
    ("W11.border", NAME, 200_000, across),
    ("W11.hop", NAME, 100_000, hop),
    ("W11.async", NAME, 200_000, read),
    ("W11.interval", NAME, 100_000, interval),
    ("W11.scan", NAME, 200_000, through(frames.scan, scan(difference, 0))),
    ("W11.fused", NAME, 200_000, through(frames.fused, map(plus_one), filter(is_odd), scan(difference, 0))),
    ("W11.retry", NAME, 20_000, retries),
    ("W11.merged", NAME, 50_000, through(frames.passing, merge_map(Signal.just, limit=4, waiting=0))),
    ("W11.zip", NAME, 100_000, zip_two),
    ("W11.latest", NAME, 100_000, latest),
    ("W11.share", NAME, 200_000, through(frames.passing, share())),
    ("W11.chunked", NAME, 200_000, through(frames.in_chunks, chunked(CHUNK))),
    ("W11.debounce", NAME, 50_000, through(frames.debounced, debounce(SECONDS, queue=Queue()))),
    ("W11.modify", NAME, 50_000, modify),
])
