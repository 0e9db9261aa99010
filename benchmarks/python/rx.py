"""reactivex, the Rx of Python."""

from reactivex import operators
from reactivex.subject import Subject

from harness import check, run, sum_of, timed

NAME = "reactivex"


def plus_one(number):
    return number + 1


def ten_maps(count):
    total = 0

    def receive(number):
        nonlocal total
        total += number

    source = Subject()
    source.pipe(*[operators.map(plus_one)] * 10).subscribe(receive)

    def work():
        for number in range(count):
            source.on_next(number)

    measure = timed(count, work)
    check(total, sum_of(count) + 10 * count, "sum")
    return measure


def broadcast(count):
    total = 0
    events = -(-count // 1000)

    def receive(number):
        nonlocal total
        total += number

    source = Subject()
    for _ in range(1000):
        source.subscribe(receive)

    def work():
        for number in range(events):
            source.on_next(number)

    measure = timed(events * 1000, work)
    check(total, sum_of(events) * 1000, "sum")
    return measure


def subscribe_and_dispose(count):
    received = []
    source = Subject()
    signal = source.pipe(operators.map(plus_one), operators.filter(lambda number: number % 2))

    def work():
        for _ in range(count):
            signal.subscribe(received.append).dispose()

    measure = timed(count, work)
    source.on_next(0)
    check(received, [], "received after disposal")
    return measure


run([
    ("W11.maps", NAME, 50_000, ten_maps),
    ("W11.broadcast", NAME, 300_000, broadcast),
    ("W11.subscribe", NAME, 10_000, subscribe_and_dispose),
])
