"""The pipelines of pipelines.py, run by the Python package."""

import gc
import sys

import libsignalkit as sk
from libsignalkit import operators as op
from libsignalkit import Signal, VirtualQueue

SECOND = 1e6  # of microseconds


class Seven(Exception):
    pass


def operators(queue):
    def at(operator):
        return lambda signal, time: signal | operator(time / SECOND, queue=queue)

    def per(operator):
        return lambda signal, each: signal | operator(each)

    pair = lambda both: both[0] * 100 + both[1]
    return {
        "map": lambda s, n: s.map(lambda v: v * 10 + n),
        "filter": lambda s, n: s.filter(lambda v: v % n),
        "take": lambda s, n: s.take(n),
        "skip": lambda s, n: s.skip(n),
        "take_last": lambda s, n: s.take_last(n),
        "scan": lambda s: s.scan(lambda a, b: a + b, 0),
        "distinct": lambda s: s.distinct_until_changed(),
        "take_while": lambda s, n: s.take_while(lambda v: v < n),
        "skip_while": lambda s, n: s.skip_while(lambda v: v < n),
        "start_with": lambda s, n: s.start_with(n),
        "end_with": lambda s, n: s.end_with(n),
        "default": lambda s, n: s.default_if_empty(n),
        "first": lambda s: s | op.take(1),
        "ignore": lambda s: s.ignore_values(),
        "repeat": lambda s, n: s.repeat(n),
        "catch_value": lambda s, n: s.catch_and_return(n),
        "delay_start": at(op.delay_start),
        "delay": lambda s, t: s | op.delay(t / SECOND, queue=queue, limit=1000),
        "debounce": at(op.debounce),
        "throttle": at(op.throttle),
        "take_for": at(op.take_for),
        "sample": at(op.sample),
        "merge": sk.merge,
        "then": per(op.concat_with),
        "catch": lambda a, b: a.catch(lambda error: b),
        "combine": lambda a, b: sk.combine_latest(a, b).map(pair),
        "zip": lambda a, b: sk.zip(a, b).map(pair),
        "with_latest": lambda a, b: a.with_latest_from(b, lambda v, w: v * 100 + w),
        "race": sk.race,
        "take_until": per(op.take_until),
        "skip_until": per(op.skip_until),
        "switch_if_empty": per(op.switch_if_empty),
        "switch": lambda a, b: a.switch_map(lambda v: b),
        "queue": lambda a, b: a.concat_map(lambda v: b),
        "merged": lambda a, b: a.merge_map(lambda v: b),
        "exhaust": lambda a, b: a.exhaust_map(lambda v: b),
    }


JOINING = {
    "merge",
    "then",
    "catch",
    "combine",
    "zip",
    "with_latest",
    "race",
    "take_until",
    "skip_until",
    "switch_if_empty",
    "switch",
    "queue",
    "merged",
    "exhaust",
}


def run(line):
    until, *words = line.split()
    queue, log, seen, stack = VirtualQueue(), {}, [], []
    made = operators(queue)

    def now():
        return round(queue.now * SECOND)

    def cold(number, events):
        def generate(subscriber):
            log.setdefault(number, ([], []))[0].append(now())
            timers = []
            for event in filter(None, events.split(",")):
                kind = next(sign for sign in "=|!" if sign in event)
                time, value = event.split(kind)
                work = {
                    "=": lambda value=int(value or 0): subscriber.next(value),
                    "|": subscriber.complete,
                    "!": lambda: subscriber.error(Seven("7")),
                }[kind]
                timers.append(queue.after(int(time) / SECOND, work))

            def stop():
                log[number][1].append(now())
                for timer in timers:
                    timer.dispose()

            return stop

        return Signal.create(generate)

    for word in words:
        name, *arguments = word.split(":")
        if name == "cold":
            stack.append(cold(int(arguments[0]), arguments[1]))
        elif name in JOINING:
            upper = stack.pop()
            stack.append(made[name](stack.pop(), upper))
        else:
            stack.append(made[name](stack.pop(), *map(int, arguments)))
    running = []
    queue.dispatch(
        lambda: running.append(
            stack.pop().start(
                lambda value: seen.append(f"{now()}={value}"),
                on_error=lambda error: seen.append(f"{now()}!{error}"),
                on_completed=lambda: seen.append(f"{now()}|"),
            )
        )
    )
    queue.after(int(until) / SECOND, lambda: running.pop().dispose())
    queue.advance_to(60)
    times = (
        f"{number}{sign}{','.join(map(str, times))}" for number in sorted(log) for sign, times in zip("+-", log[number])
    )
    return " ".join([*seen, *times])


for line in sys.stdin:
    print(run(line))
gc.collect()
print("alive", sum(sk.live_counts().values()))
