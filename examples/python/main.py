#!/usr/bin/env python3
"""The scenes that the examples of all languages run (docs/languages.md).

    main.py               all scenes except the next two
    main.py leaving       the program exits with a live subscription
    main.py interrupted   Ctrl-C ends the waiting program"""

import gc
import itertools
import resource
import sys
import threading
import time
from typing import Any

from libsignalkit import Disposable, Pipe, Queue, Signal, UsageError, live_total, run_main, stop_main


def show(name: str, signal: Signal[Any]) -> Disposable:
    return signal.start(
        lambda value: print(f"{name}: {value}"), on_error=lambda error: print(f"{name}: {error}"), on_completed=lambda: print(f"{name}: end")
    )


def halves() -> None:
    pipe = Pipe[int]()
    show("half", pipe.signal.filter(lambda n: n % 2 == 0).map(lambda n: n // 2))
    for n in range(1, 7):
        pipe.next(n)
    pipe.complete()


def text() -> None:
    show("text", Signal.just("grün").map(lambda word: word + "!"))


def stopped() -> None:
    pipe = Pipe[int]()
    subscription = show("stopped", pipe.signal)
    pipe.next(1)
    subscription.dispose()
    pipe.next(2)


def own_thread() -> None:
    own = threading.get_ident()

    def place() -> str:
        return "own thread" if threading.get_ident() == own else "another thread"

    def completed() -> None:
        print(f"{place()}: end")
        stop_main()

    elsewhere = Signal.from_iterable([1, 2, 3]).run_on(Queue("elsewhere")).deliver_on(Queue.main())
    elsewhere.start(lambda n: print(f"{place()}: {n}"), on_completed=completed)
    run_main()


def failed() -> None:
    show("failed", Signal.just(1).concat_with(Signal.fail(RuntimeError("unplugged"))))


def thrown() -> None:
    def ten_times(n: int) -> int:
        if n == 3:
            raise ValueError("three is too many")
        return n * 10

    show("thrown", Signal.from_iterable([1, 2, 3, 4]).map(ten_times))


def misuse() -> None:
    try:
        Signal.just(1).take(-1)
    except UsageError as error:
        print(f"misuse: {error}")


def closed_twice() -> None:
    pipe = Pipe[int]()
    signal = pipe.signal
    subscription = show("closed twice", signal)
    pipe.next(1)
    pipe.complete()
    pipe.complete()
    subscription.dispose()
    subscription.dispose()
    pipe.next(2)  # after the end: dropped
    show("used after close", signal)


def left() -> None:
    """A callback exits by sys.exit. Its subscription fails, and the pipe continues."""
    pipe = Pipe[int]()

    def leave(value: int) -> None:
        print(f"left: {value}")
        sys.exit("left")

    pipe.signal.start(leave, on_error=lambda error: print("left: and out"))
    others = pipe.signal.filter(lambda n: n == 2).start(lambda n: print(f"left: {n} for the others"))
    pipe.next(1)
    pipe.next(2)
    others.dispose()


def timers() -> None:
    """Two timers are combined and throttled. The first attempt fails and is retried. Callbacks run on the main thread."""
    main, attempts = Queue.main(), 0

    def attempt() -> Signal[tuple[int, int]]:
        nonlocal attempts
        attempts += 1
        print(f"timers: attempt {attempts}")
        if attempts == 1:
            return Signal.fail(RuntimeError("not yet"))
        return Signal.interval(0.001, queue=main).combine_latest(Signal.interval(0.002, queue=main))

    numbers = itertools.count(1)
    pairs = Signal.deferred(attempt).retry(delay=0.001, max_delay=0.01, queue=main).throttle(0.003, queue=main)
    show("timers", pairs.map(lambda pair: next(numbers)).take(3).after_completed(stop_main))
    run_main()


def subscriptions() -> None:
    """Memory is flat when it has grown by less than a kilobyte for each of the 10,000, after as many before."""
    source = Pipe[int]()
    numbers = source.signal.map(lambda n: n + 1).take(2)

    def make_and_drop() -> None:
        for _ in range(10_000):
            numbers.start(print).dispose()

    make_and_drop()
    gc.collect()
    before, alive = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, live_total()
    make_and_drop()
    gc.collect()
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    print(f"subscriptions: 10000 made, {live_total() - alive} left")
    print(f"subscriptions: memory {'flat' if grown < 10_000 else f'{grown} KiB more'}")


def own_subscription() -> None:
    pipe = Pipe[int]()

    def once(value: int) -> None:
        print(f"own subscription: {value}")
        subscription.dispose()

    subscription = pipe.signal.take(3).start(once, on_completed=lambda: print("own subscription: end"))
    pipe.next(1)
    pipe.next(2)
    print("own subscription: over")


def leaving() -> None:
    """The program ends with a timer running that calls it all the time."""
    began = threading.Event()
    globals()["subscription"] = Signal.interval(0.0001, queue=Queue("ticks")).start(lambda n: began.set())
    began.wait()
    print("leaving: with a live subscription", flush=True)


def interrupted() -> None:
    """Waits until a signal ends the program. The test sends SIGINT after the line, and checks the exit status."""
    subscription = Signal.timer(0.001, queue=Queue.main()).start(lambda _: print("interrupted: waiting", flush=True))
    run_main()
    subscription.dispose()


def main() -> None:
    for scene in (halves, text, stopped, own_thread, failed, thrown, misuse, closed_twice, left, timers, subscriptions, own_subscription):
        scene()
    deadline = time.monotonic() + 60
    while live_total() and time.monotonic() < deadline:
        gc.collect()
        time.sleep(0.001)  # queues release their last work
    print(f"alive: {live_total()}")


if __name__ == "__main__":
    {"": main, "leaving": leaving, "interrupted": interrupted}["".join(sys.argv[1:])]()
