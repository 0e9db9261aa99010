"""What is measured: the same for every contender, who gives `put`, which puts a number into a source, and `start`,
which makes a function listen to it, through operators where the row has some."""

from harness import check, sum_of, timed

SUBSCRIBERS = 1000


def plus_one(number):
    return number + 1


def is_odd(number):
    return number % 2


def ten_maps(count, put, start):
    """Per event. Every number has to arrive through ten times `plus_one`."""
    return summed(count, 1, put, start, sum_of(count) + 10 * count)


def broadcast(count, put, start):
    """Per delivered event. Every number has to arrive at 1,000 subscribers."""
    events = -(-count // SUBSCRIBERS)
    return summed(events, SUBSCRIBERS, put, start, sum_of(events) * SUBSCRIBERS)


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
