"""The limit: the same functions, called by hand; and a queue of asyncio."""

import asyncio

import frames
from frames import plus_one
from harness import check, run, sum_of, timed

NAME = "Python loop"


def ten_maps(count):
    total = 0
    functions = [plus_one] * 10

    def work():
        nonlocal total
        for number in range(count):
            for function in functions:
                number = function(number)
            total += number

    measure = timed(count, work)
    check(total, sum_of(count) + 10 * count, "sum")
    return measure


def broadcast(count):
    functions = []

    def put(number):
        for function in functions:
            function(number)

    return frames.broadcast(count, put, functions.append)


def queue(count):
    """A task that puts, and one that gets."""

    async def reading():
        queue, total = asyncio.Queue(1024), 0

        async def put():
            for number in range(count):
                await queue.put(number)

        task = asyncio.create_task(put())
        for _ in range(count):
            total += await queue.get()
        await task
        return total

    return frames.read(count, reading)


run([
    ("W11.maps", NAME, 200_000, ten_maps),
    ("W11.broadcast", NAME, 1_000_000, broadcast),
    ("W11.async", "asyncio.Queue", 200_000, queue),
])
