#!/usr/bin/env python3
"""Compares a package with a model of the operators by random pipelines: the same values at the same times, the same
terminal events, and the same times of subscription and disposal of each source. Afterwards no object is alive.

    pipelines.py SEED COUNT COMMAND...    COMMAND reads pipelines, and writes the events of each
    pipelines.py SEED COUNT               writes the pipelines
    pipelines.py --model                  is such a command: the model

A line is a pipeline: the time at which it is disposed, then a program for a stack of signals. Times are microseconds of
a virtual clock.

    cold:ID:10=3,25=4,30|     pushes a source, which emits 3 after 10 and 4 after 25, and completes after 30
    cold:ID:10!               pushes a source that fails after 10, with the error 7
    map:2  take:1  ...        replace the signal on top
    merge  then  ...          replace the two signals on top: the upper one is the argument

The answer to a line is a line. It starts with the events of the subscription: `12=3` a value, `30|` the completion,
`30!7` the error. For each source, in the order of their numbers, `ID+` and its times of subscription follow, then `ID-`
and those of its disposals. The last line is `alive 0`. Work of the clock's queue starts and disposes the
pipeline: so all events happen on that queue."""

import heapq
import itertools
import random
import subprocess
import sys

# ---- Pipelines ----

PLAIN = {  # name: how an argument is made; None: there is none
    "map": (0, 9),
    "filter": (2, 4),
    "take": (1, 4),
    "skip": (1, 3),
    "take_last": (1, 3),
    "scan": None,
    "distinct": None,
    "take_while": (1, 9),
    "skip_while": (1, 9),
    "start_with": (0, 9),
    "end_with": (0, 9),
    "default": (0, 9),
    "first": None,
    "ignore": None,
    "repeat": (1, 3),
    "catch_value": (0, 9),
}
TIMED = "delay_start", "delay", "debounce", "throttle", "take_for", "sample"
JOINING = (
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
)
HORIZON = 60_000_000


class Maker:
    """Makes pipelines. Equal times are improbable: the order at one moment is for other tests."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def time(self, most):
        return self.random.randrange(1, most)

    def source(self, number):
        times = sorted(self.random.sample(range(1, 8_000_000), self.random.randrange(0, 6)))
        events = [f"{time}={self.random.randrange(10)}" for time in times]
        last = (times[-1] if times else 0) + self.time(3_000_000)
        end = self.random.choice(["|", "|", "|", "!", ""])
        return f"cold:{number}:" + ",".join(events + ([f"{last}{end}"] if end else []))

    def pipeline(self):
        words, depth, sources, size = [], 0, 0, self.random.randrange(2, 14)
        while depth != 1 or len(words) < size:
            if depth == 0 or depth < 4 and len(words) < size and self.random.random() < 0.25:
                words.append(self.source(sources))
                depth, sources = depth + 1, sources + 1
            elif depth > 1 and (len(words) >= size or self.random.random() < 0.4):
                words.append(self.random.choice(JOINING))
                depth -= 1
            elif self.random.random() < 0.3:
                words.append(f"{self.random.choice(TIMED)}:{self.time(4_000_000)}")
            else:
                name = self.random.choice(list(PLAIN))
                words.append(f"{name}:{self.random.randint(*PLAIN[name])}" if PLAIN[name] else name)
        return f"{self.time(30_000_000)} {' '.join(words)}"


# ---- The model ----


class Clock:
    def __init__(self):
        self.now, self.waiting, self.numbers = 0, [], itertools.count()

    def after(self, time, work):
        entry = [self.now + time, next(self.numbers), work]
        heapq.heappush(self.waiting, entry)

        def cancel():
            entry[2] = None

        return cancel

    def advance_to(self, time):
        while self.waiting and self.waiting[0][0] <= time:
            due, _, work = heapq.heappop(self.waiting)
            self.now = due
            if work:
                work()
        self.now = time


class Run:
    """One subscription to a signal. Events after its end or disposal are dropped."""

    def __init__(self, next, end):
        self.is_over, self.told, self.end_told, self.held = False, next, end, []

    def next(self, value):
        if not self.is_over:
            self.told(value)

    def end(self, error=None):
        if not self.is_over:
            self.is_over = True
            self.end_told(error)
            self.stop()

    def dispose(self):
        if not self.is_over:
            self.is_over = True
            self.stop()

    def stop(self):
        held, self.held = self.held, []
        for dispose in held:
            dispose()

    def hold(self, dispose):
        dispose() if self.is_over else self.held.append(dispose)

    def follow(self, signal, next=None, end=None, given=None):
        """Starts a signal, unless this is over; what disposes it, which is `given` before that."""
        if self.is_over:
            return lambda: None
        inner = Run(next or self.next, end or self.end)
        self.held.append(inner.dispose)
        if given:
            given(inner.dispose)
        signal(inner)
        return inner.dispose


def signals(clock, log):
    """The operators of the model, by name. A signal is a function that is called with its run."""

    def cold(number, events):
        def start(run):
            log.setdefault(number, ([], []))[0].append(clock.now)
            run.hold(lambda: log[number][1].append(clock.now))
            for time, kind, value in events:
                run.hold(
                    clock.after(
                        time,
                        (
                            (lambda value=value: run.next(value))
                            if kind == "="
                            else lambda kind=kind: run.end(None if kind == "|" else 7)
                        ),
                    )
                )

        return start

    def passing(make):
        """An operator with a state in each run: `make(run, argument)` returns `next` and, perhaps, `end`."""

        def operator(signal, argument=None):
            return lambda run: run.follow(signal, *make(run, argument))

        return operator

    def mapped(run, n):
        return ((lambda value: run.next(value * 10 + n)),)

    def filtered(run, n):
        return ((lambda value: run.next(value) if value % n else None),)

    def take(run, n):
        seen = itertools.count(1)

        def next_(value):
            number = next(seen)
            run.next(value)
            if number == n:
                run.end()

        return (next_,)

    def skip(run, n):
        seen = itertools.count()
        return ((lambda value: run.next(value) if next(seen) >= n else None),)

    def take_last(run, n):
        kept = []

        def end(error):
            for value in kept[-n:] if error is None else []:
                run.next(value)
            run.end(error)

        return kept.append, end

    def scan(run, _):
        sum_ = 0

        def next_(value):
            nonlocal sum_
            sum_ += value
            run.next(sum_)

        return (next_,)

    def distinct(run, _):
        last = None

        def next_(value):
            nonlocal last
            if value != last:
                last = value
                run.next(value)

        return (next_,)

    def take_while(run, n):
        return ((lambda value: run.next(value) if value < n else run.end()),)

    def skip_while(run, n):
        skipping = True

        def next_(value):
            nonlocal skipping
            skipping = skipping and value < n
            if not skipping:
                run.next(value)

        return (next_,)

    def ignore(run, _):
        return ((lambda value: None),)

    def single(value):
        def start(run):
            run.next(value)
            run.end()

        return start

    def following(is_wanted):
        """Starts the second signal when the first has ended in this way."""

        def operator(first, second):
            def start(run):
                some = False

                def next_(value):
                    nonlocal some
                    some = True
                    run.next(value)

                def end(error):
                    run.follow(second) if is_wanted(error, some) else run.end(error)

                run.follow(first, next_, end)

            return start

        return operator

    then = following(lambda error, some: error is None)
    catch = following(lambda error, some: error is not None)
    switch_if_empty = following(lambda error, some: error is None and not some)

    def repeat(signal, n):
        def start(run):
            def round_(left):
                run.follow(
                    signal, None, lambda error: round_(left - 1) if error is None and left > 1 else run.end(error)
                )

            round_(n)

        return start

    def delay_start(signal, time):
        return lambda run: run.hold(clock.after(time, lambda: run.follow(signal)))

    def delay(run, time):
        def later(work):
            run.hold(clock.after(time, work))

        return (
            (lambda value: later(lambda: run.next(value))),
            (lambda error: later(run.end) if error is None else run.end(error)),
        )

    def debounce(run, time):
        waiting = []

        def show():
            if waiting:
                run.next(waiting.pop())

        def next_(value):
            waiting[:] = [value]
            mine[0]()
            mine[0] = clock.after(time, show)
            run.hold(mine[0])

        def end(error):
            if error is None:
                show()
            run.end(error)

        mine = [lambda: None]
        return next_, end

    def throttle(run, time):
        waiting, is_open = [], True

        def opened():
            nonlocal is_open
            is_open = True
            if waiting:
                show(waiting.pop())

        def show(value):
            nonlocal is_open
            is_open = False
            run.hold(clock.after(time, opened))
            run.next(value)

        def next_(value):
            if is_open:
                show(value)
            else:
                waiting[:] = [value]

        def end(error):
            if error is None and waiting:
                run.next(waiting.pop())
            run.end(error)

        return next_, end

    def take_for(signal, time):
        def start(run):
            run.hold(clock.after(time, run.end))
            run.follow(signal)

        return start

    def sample(signal, time):
        def start(run):
            waiting = []

            def show():
                if waiting:
                    run.next(waiting.pop())

            def tick():
                show()
                run.hold(clock.after(time, tick))

            def next_(value):
                waiting[:] = [value]

            def end(error):
                if error is None:
                    show()
                run.end(error)

            run.hold(clock.after(time, tick))
            run.follow(signal, next_, end)

        return start

    def merge(a, b):
        def start(run):
            left = 2

            def end(error):
                nonlocal left
                left -= 1
                if error is not None or left == 0:
                    run.end(error)

            run.follow(a, None, end)
            run.follow(b, None, end)

        return start

    def combine(a, b):
        def start(run):
            latest, left = [None, None], 2

            def put(place, value):
                latest[place] = value
                if None not in latest:
                    run.next(latest[0] * 100 + latest[1])

            def end(error):
                nonlocal left
                left -= 1
                if error is not None or left == 0:
                    run.end(error)

            run.follow(a, lambda value: put(0, value), end)
            run.follow(b, lambda value: put(1, value), end)

        return start

    def zip_(a, b):
        def start(run):
            waiting, over = ([], []), [False, False]

            def put(place, value):
                waiting[place].append(value)
                if all(waiting):
                    run.next(waiting[0].pop(0) * 100 + waiting[1].pop(0))
                    if any(over[k] and not waiting[k] for k in (0, 1)):
                        run.end()

            def end(place, error):
                over[place] = True
                if error is not None or not waiting[place]:
                    run.end(error)

            run.follow(a, lambda value: put(0, value), lambda error: end(0, error))
            run.follow(b, lambda value: put(1, value), lambda error: end(1, error))

        return start

    def nothing_but_errors(run):
        return lambda error: None if error is None else run.end(error)

    def with_latest(signal, other):
        def start(run):
            latest = []

            def keep(value):
                latest[:] = [value]

            run.follow(other, keep, nothing_but_errors(run))
            run.follow(signal, lambda value: run.next(value * 100 + latest[0]) if latest else None)

        return start

    def race(a, b):
        def start(run):
            winner, stops = None, []

            def first(place):
                nonlocal winner
                if winner is None:
                    winner = place
                    for other, stop in enumerate(stops):
                        if other != place:
                            stop()
                return winner == place

            for place, signal in enumerate((a, b)):
                if winner is None:
                    stops.append(
                        run.follow(
                            signal,
                            lambda value, place=place: run.next(value) if first(place) else None,
                            lambda error, place=place: run.end(error) if first(place) else None,
                        )
                    )

        return start

    def take_until(signal, other):
        def start(run):
            run.follow(other, lambda value: run.end(), nothing_but_errors(run))
            run.follow(signal)

        return start

    def skip_until(signal, other):
        def start(run):
            passes, stop = False, []

            def open_(value):
                nonlocal passes
                passes = True
                for each in stop:
                    each()

            run.follow(other, open_, nothing_but_errors(run), stop.append)
            run.follow(signal, lambda value: run.next(value) if passes else None)

        return start

    def inner(kind):
        def operator(signal, each):
            """Each value of `signal` starts `each`."""

            def start(run):
                running, waiting, over = [], [], False

                def begin():
                    me = object()
                    before, running[:] = list(running) if kind == "switch" else [], [] if kind == "switch" else running
                    running.append((me, None))

                    def is_mine():
                        return any(which is me for which, _ in running)

                    def end(error):
                        if error is not None:
                            return run.end(error) if is_mine() else None
                        if is_mine():
                            running[:] = [one for one in running if one[0] is not me]
                            if waiting:
                                waiting.pop()
                                begin()
                            elif over and not running:
                                run.end()

                    stop = run.follow(each, lambda value: run.next(value) if is_mine() else None, end)
                    running[:] = [(which, stop if which is me else other) for which, other in running]
                    for _, earlier in before:
                        if earlier:
                            earlier()

                def next_(value):
                    if kind == "queue" and running:
                        waiting.append(value)
                    elif kind != "exhaust" or not running:
                        begin()

                def end(error):
                    nonlocal over
                    over = True
                    if error is not None or not running:
                        run.end(error)

                run.follow(signal, next_, end)

            return start

        return operator

    operators = {
        name: passing(make)
        for name, make in {
            "map": mapped,
            "filter": filtered,
            "take": take,
            "skip": skip,
            "take_last": take_last,
            "scan": scan,
            "distinct": distinct,
            "take_while": take_while,
            "skip_while": skip_while,
            "ignore": ignore,
            "delay": delay,
            "debounce": debounce,
            "throttle": throttle,
        }.items()
    }
    operators |= {
        "first": lambda signal: operators["take"](signal, 1),
        "start_with": lambda signal, n: then(single(n), signal),
        "end_with": lambda signal, n: then(signal, single(n)),
        "default": lambda signal, n: switch_if_empty(signal, single(n)),
        "catch_value": lambda signal, n: catch(signal, single(n)),
        "repeat": repeat,
        "delay_start": delay_start,
        "take_for": take_for,
        "sample": sample,
        "merge": merge,
        "then": then,
        "catch": catch,
        "combine": combine,
        "zip": zip_,
        "with_latest": with_latest,
        "race": race,
        "take_until": take_until,
        "skip_until": skip_until,
        "switch_if_empty": switch_if_empty,
        "switch": inner("switch"),
        "queue": inner("queue"),
        "merged": inner("merged"),
        "exhaust": inner("exhaust"),
    }
    return cold, operators


def parse(word):
    """The events of a source: (time, kind, value)."""
    for event in filter(None, word.split(",")):
        kind = next(sign for sign in "=|!" if sign in event)
        time, value = event.split(kind)
        yield int(time), kind, int(value or 0)


def modelled(line):
    until, *words = line.split()
    clock, log, seen, stack = Clock(), {}, [], []
    cold, operators = signals(clock, log)
    for word in words:
        name, *arguments = word.split(":")
        if name == "cold":
            stack.append(cold(int(arguments[0]), list(parse(arguments[1]))))
        elif name in JOINING:
            upper = stack.pop()
            stack.append(operators[name](stack.pop(), upper))
        else:
            stack.append(operators[name](stack.pop(), *map(int, arguments)))
    run = Run(
        lambda value: seen.append(f"{clock.now}={value}"),
        lambda error: seen.append(f"{clock.now}|" if error is None else f"{clock.now}!{error}"),
    )
    stack.pop()(run)
    clock.advance_to(int(until))
    run.dispose()
    clock.advance_to(HORIZON)
    times = (
        f"{number}{sign}{','.join(map(str, times))}" for number in sorted(log) for sign, times in zip("+-", log[number])
    )
    return " ".join([*seen, *times])


# ---- The comparison ----


def main():
    if sys.argv[1:] == ["--model"]:
        for line in sys.stdin:
            print(modelled(line))
        print("alive 0")
        return
    seed, count, command = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    maker = Maker(seed)
    lines = [maker.pipeline() for _ in range(count)]
    if not command:
        print("\n".join(lines))
        return
    answers = subprocess.run(
        command, input="\n".join(lines) + "\n", stdout=subprocess.PIPE, text=True, check=True
    ).stdout.splitlines()
    wrong = 0
    for line, answer in itertools.zip_longest(lines, answers[:-1], fillvalue="nothing"):
        expected = modelled(line)
        if answer != expected:
            wrong += 1
            if wrong <= 5:
                print(f"pipeline  {line}\nexpected  {expected}\nfound     {answer}\n")
    if answers[-1:] != ["alive 0"]:
        wrong += 1
        print(answers[-1:])
    if wrong:
        sys.exit(f"{wrong} of {count} differ (seed {seed})")
    print(f"{count} pipelines, seed {seed}: as the model")


if __name__ == "__main__":
    main()
