#!/usr/bin/env python3
"""Shows the load of this machine, with asyncio: a queue's thread reads it, and the loop draws it and does other work.

    examples/python/loadwatch.py [seconds]"""

import asyncio
import sys
import time
from typing import Callable, TypeVar

from libsignalkit import Pipe, Queue, Signal, Subscriber, Timer, live_counts, live_total

T = TypeVar("T")


def read_cpu() -> tuple[int, int]:
    """Seconds that all processors were busy, and idle, since the machine started."""
    with open("/proc/stat") as file:
        fields = [int(field) for field in file.readline().split()[1:9]]
    return sum(fields) - fields[3] - fields[4], fields[3] + fields[4]


def read_memory() -> float:
    with open("/proc/meminfo") as file:
        sizes = {line.split(":")[0]: int(line.split()[1]) for line in file}
    return 100 * (1 - sizes["MemAvailable"] / sizes["MemTotal"])


def every(seconds: float, read: Callable[[], T], queue: Queue) -> Signal[T]:
    """Calls `read` periodically on the queue and emits its results."""

    def generate(subscriber: Subscriber[T]) -> Callable[[], object]:
        timer = Timer(seconds, lambda: subscriber.next(read()), queue=queue, repeat=True)
        timer.start()
        return timer.invalidate  # which keeps the timer

    return Signal.create(generate)


def percentages(totals: Signal[tuple[int, int]]) -> Signal[float]:
    """A custom operator for `|`: computes the load since the last reading from the running totals."""
    last = read_cpu()

    def busy(now: tuple[int, int]) -> float:
        nonlocal last
        (busy_before, idle_before), (busy_now, idle_now), last = last, now, now
        total = busy_now - busy_before + idle_now - idle_before
        return 100 * (busy_now - busy_before) / total if total else 0.0

    return totals.map(busy)


async def main(seconds: float) -> None:
    loop, queue, alerts = asyncio.get_running_loop(), Queue("readings"), Pipe[float]()
    cpu = Signal.deferred(lambda: every(0.1, read_cpu, queue) | percentages)
    memory = every(0.25, read_memory, queue).map(round).distinct_until_changed()

    def draw(reading: tuple[float, int]) -> None:
        processors, used = reading
        print(f"cpu {processors:5.1f} %   memory {used:3d} %   {'#' * round(processors / 4)}", flush=True)
        if processors > 90:
            alerts.next(processors)

    readings = cpu.combine_latest(memory).throttle(0.2, queue=queue).deliver_on(loop)
    drawing = readings.start(draw, on_error=lambda error: print(f"failed: {error}"))
    shouting = alerts.signal.throttle(2, queue=queue).deliver_on(loop).start(lambda percent: print(f"BUSY: {percent:.0f} %"))
    with drawing, shouting:
        # The loop's other work: here it only measures how late it runs.
        late, end = 0.0, time.monotonic() + seconds
        while time.monotonic() < end:
            before = time.monotonic()
            await asyncio.sleep(0.01)
            late = max(late, time.monotonic() - before - 0.01)
    hottest = await cpu.filter(lambda percent: percent >= 0)
    print(f"At last: {hottest:.0f} %. The loop was never late by more than {late * 1000:.0f} ms.")


if __name__ == "__main__":
    asyncio.run(main(float(sys.argv[1]) if len(sys.argv) > 1 else 10))
    deadline = time.monotonic() + 60
    while live_total() and time.monotonic() < deadline:
        time.sleep(0.01)  # the queue releases its last work
    print("Objects left alive:", live_total(), live_counts() or "")
