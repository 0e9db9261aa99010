"""This library, through bindings/python."""

import os
import sys

from harness import check, run, sum_of, timed

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
os.environ["SIGNALKIT_LIBRARY"] = os.path.join(ROOT, "build/embedded/lib/libsignalkit.so.1")
sys.path.insert(0, os.path.join(ROOT, "bindings/python/src"))

from signalkit import Pipe, filter, map  # noqa: E402

NAME = "SignalKit (Python)"


def plus_one(number):
    return number + 1


def ten_maps(count):
    total = 0

    def receive(number):
        nonlocal total
        total += number

    pipe = Pipe()
    signal = pipe.signal
    for _ in range(10):
        signal = signal | map(plus_one)

    def work():
        for number in range(count):
            pipe.next(number)

    with signal.start(receive):
        measure = timed(count, work)
    check(total, sum_of(count) + 10 * count, "sum")
    return measure


def broadcast(count):
    total = 0
    events = -(-count // 1000)

    def receive(number):
        nonlocal total
        total += number

    pipe = Pipe()
    runs = [pipe.signal.start(receive) for _ in range(1000)]

    def work():
        for number in range(events):
            pipe.next(number)

    measure = timed(events * 1000, work)
    check(total, sum_of(events) * 1000, "sum")
    for each in runs:
        each.dispose()
    return measure


def subscribe_and_dispose(count):
    received = []
    pipe = Pipe()
    signal = pipe.signal | map(plus_one) | filter(lambda number: number % 2)

    def work():
        for _ in range(count):
            signal.start(received.append).dispose()

    measure = timed(count, work)
    pipe.next(0)
    check(received, [], "received after disposal")
    return measure


run(
    [
        ("W11.maps", NAME, 200_000, ten_maps),
        ("W11.broadcast", NAME, 1_000_000, broadcast),
        ("W11.subscribe", NAME, 50_000, subscribe_and_dispose),
    ]
)
