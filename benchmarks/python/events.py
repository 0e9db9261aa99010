#!/usr/bin/env python3
"""What an event and a subscription cost in Python, beside RxPY's: the programs `python` and `reactivex` of the benchmark are made of this."""

import sys
import time


def timed(count, work):
    start = time.perf_counter_ns()
    work(count)
    return (time.perf_counter_ns() - start) / count


def increments(number):
    return [lambda n: n + 1 for _ in range(number)]


def expect(what, expected):
    if what != expected:
        sys.exit(f"{what!r} instead of {expected!r}")


def deliveries(count, each, subscribe, emit):
    """Broadcasts to so many; the time of a delivery."""
    seen = [0]

    def receive(value):
        seen[0] += 1

    kept = [subscribe(receive) for _ in range(each)]

    def work(_):
        for n in range(events):
            emit(n)

    events = max(1, count // each)
    took = timed(events, work) / each
    expect(seen[0], events * each)
    del kept
    return took


def plain_maps(count):
    functions, last = increments(10), [0]

    def work(count):
        for n in range(count):
            value = n
            for function in functions:
                value = function(value)
            last[0] = value

    took = timed(count, work)
    expect(last[0], count + 9)
    return took


def chain(count, subscribe, emit):
    last = [0]

    def receive(value):
        last[0] = value

    kept = subscribe(receive)

    def work(count):
        for n in range(count):
            emit(n)

    took = timed(count, work)
    expect(last[0], count + 9)
    del kept
    return took


def ours():
    from signalkit import Pipe, filter, live_total, map

    def maps(count):
        pipe = Pipe()
        signal = pipe.signal
        for function in increments(10):
            signal = signal | map(function)
        return chain(count, signal.start, pipe.next)

    def broadcast(count):
        pipe = Pipe()
        return deliveries(count, 1000, pipe.signal.start, pipe.next)

    def subscribe(count):
        pipe = Pipe()
        signal = pipe.signal | map(lambda n: n + 1) | filter(lambda n: n > 0)
        before = live_total()

        def work(count):
            for _ in range(count):
                signal.start(print).dispose()

        took = timed(count, work)
        expect(live_total() - before <= 3, True)
        return took

    return {"W11.maps": maps, "W11.broadcast": broadcast, "W11.subscribe": subscribe}


def reactivex():
    import reactivex
    from reactivex import operators as ops

    def maps(count):
        subject = reactivex.Subject()
        piped = subject.pipe(*[ops.map(function) for function in increments(10)])
        return chain(count, piped.subscribe, subject.on_next)

    def broadcast(count):
        subject = reactivex.Subject()
        return deliveries(count, 1000, subject.subscribe, subject.on_next)

    def subscribe(count):
        subject = reactivex.Subject()
        piped = subject.pipe(ops.map(lambda n: n + 1), ops.filter(lambda n: n > 0))

        def work(count):
            for _ in range(count):
                piped.subscribe(print).dispose()

        return timed(count, work)

    return {"W11.maps": maps, "W11.broadcast": broadcast, "W11.subscribe": subscribe}


CONTENDERS = {"SignalKit": ours, "RxPY": reactivex, "Python loop": lambda: {"W11.maps": plain_maps}}
COUNTS = {"W11.maps": 100_000, "W11.broadcast": 1_000_000, "W11.subscribe": 20_000}


def main():
    only, arguments = sys.argv[1], sys.argv[2:]
    contenders = [only] if only in ("SignalKit", "RxPY") else list(CONTENDERS)
    if only == "SignalKit":
        contenders.append("Python loop")
    if not arguments:
        for contender in contenders:
            try:
                cases = CONTENDERS[contender]()
            except ImportError as error:
                sys.exit(str(error))
            for row in cases:
                print(f"{row}\t{contender}\t{COUNTS[row]}")
        return
    row, contender, *count = arguments
    case = CONTENDERS[contender]()[row]
    number = int(count[0]) if count else COUNTS[row]
    case(max(1, number // 10))  # warm
    print(f"{row}\t{contender}\t{case(number):.3f}")


if __name__ == "__main__":
    main()
