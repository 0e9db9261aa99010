"""The measured cases, the same for every contender. A contender defines `put`, which sends a number into a source, and
`start`, which subscribes a function to the source, through the operators of the row."""

import asyncio
import threading

from harness import check, sum_of, timed

SUBSCRIBERS = 1000
CHUNK = 10
SECONDS = 0.05


def plus_one(number):
    return number + 1


def is_odd(number):
    return number % 2


def difference(accumulated, number):
    """`scan` with this function emits 0, 1, 1, 2, 2, 3 …"""
    return number - accumulated


def add(left, right):
    return left + right


def ten_maps(count, put, start):
    """Per event. Every number passes `plus_one` ten times."""
    return summed(count, 1, put, start, sum_of(count) + 10 * count)


def broadcast(count, put, start):
    """Per delivered event. Every number has to arrive at 1,000 subscribers."""
    events = -(-count // SUBSCRIBERS)
    return summed(events, SUBSCRIBERS, put, start, sum_of(events) * SUBSCRIBERS)


def scan(count, put, start):
    return summed(count, 1, put, start, count * count // 4)


def fused(count, put, start):
    """Per event, through `plus_one`, `is_odd` and `difference`. 1, 2, 3 … arrive."""
    arrive = (count + 1) // 2
    return summed(count, 1, put, start, sum_of(arrive + 1))


def retried(count, start, fail, just):
    """Per attempt. Each attempt fails immediately, except the last one. `start` retries what a function returns."""
    attempts, received = 0, []

    def attempt(*_):
        nonlocal attempts
        attempts += 1
        return just(attempts) if attempts == count else fail(ValueError("again"))

    measure = timed(count, lambda: start(attempt, received.append))
    check(received, [count], "attempts")
    return measure


def passing(count, put, start):
    """Per event, where every number arrives as it is."""
    return summed(count, 1, put, start, sum_of(count))


def in_chunks(count, put, start):
    """Per number; they arrive in chunks."""
    expected = sum_of(count // CHUNK * CHUNK)
    return summed(count, 1, put, lambda receive: start(lambda chunk: receive(sum(chunk))), expected)


def across(count, put, start):
    """Per event. Every number has to arrive through two times `plus_one`."""
    return summed(count, 1, put, start, sum_of(count) + 2 * count)


def hopping(count, put, start):
    """The same, until the last has arrived, on another thread."""
    total, arrived = 0, threading.Event()

    def receive(number):
        nonlocal total
        total += number
        if number == count + 1:
            arrived.set()

    run = start(receive)

    def work():
        for number in range(count):
            put(number)
        arrived.wait()

    measure = timed(count, work)
    run.dispose()
    check(total, sum_of(count) + 2 * count, "sum")
    return measure


def ticking(count, start, advance):
    """Per tick, of one a second; `advance` moves the clock on."""
    total = 0

    def receive(number):
        nonlocal total
        total += number

    run = start(receive)
    measure = timed(count, lambda: advance(count))
    run.dispose()
    check(total, sum_of(count), "sum")
    return measure


def read(count, reading):
    """Per value. `reading()` is a coroutine that reads `count` values and returns their sum."""
    total = 0

    def work():
        nonlocal total
        total = asyncio.run(reading())

    measure = timed(count, work)
    check(total, sum_of(count), "sum")
    return measure


def zipped(count, put_left, put_right, start):
    """Per event. Pairs arrive."""

    def put(number):
        put_right(number)
        put_left(number)

    expected = sum_of(count // 2) * 2
    return summed(count // 2, 1, put, lambda receive: start(lambda pair: receive(sum(pair))), expected) / 2


def debounced(count, put, start):
    """Per event, until the last has arrived, on another thread; less the time for which it had to wait."""
    arrived = threading.Event()
    run = start(lambda number: arrived.set() if number == count - 1 else None)

    def work():
        for number in range(count):
            put(number)
        arrived.wait()

    measure = timed(count, work)
    run.dispose()
    return measure - SECONDS * 1e9 / count


def modified(count, change, start):
    """Per change. Every state, from 0 to the last one, is shown once and in order."""
    states = []
    start(states.append)

    def work():
        for _ in range(count):
            change(plus_one)

    measure = timed(count, work)
    check(states, list(range(count + 1)), "states")
    return measure


def summed(events, subscribers, put, start, expected):
    total = 0

    def receive(number):
        nonlocal total
        total += number

    runs = [start(receive) for _ in range(subscribers)]

    def work():
        for number in range(events):
            put(number)

    measure = timed(events * subscribers, work)
    check(total, expected, f"sum of {len(runs)}")
    return measure


def subscribe_and_dispose(count, put, start):
    """Per subscription, through `plus_one` and `is_odd`."""
    received = []

    def work():
        for _ in range(count):
            start(received.append).dispose()

    measure = timed(count, work)
    put(0)
    check(received, [], "received after disposal")
    return measure
