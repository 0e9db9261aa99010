"""The code of docs/recipes.md: its blocks are here, line for line."""

import pytest

import libsignalkit as sk


class Failure(Exception):
    pass


class Clock(sk.VirtualQueue):
    """Virtual time, and the times at which the signals of `cold` were subscribed to and released."""

    __slots__ = ("subscriptions",)

    def __init__(self):
        super().__init__()
        self.subscriptions = []

    def cold(self, diagram):
        """A signal whose subscriptions receive the marks of a diagram: ints, `|` (the completion) and `#` (a Failure)."""

        def event(at, mark):
            return sk.Completed() if mark == "|" else sk.Failed(Failure(at)) if mark == "#" else sk.Next(int(mark))

        def begin():
            times = [self.now]
            self.subscriptions.append(times)
            timers = (sk.Signal.timer(at, queue=self).map(lambda _, at=at, mark=mark: event(at, mark)) for at, mark in parts(diagram))
            return sk.merge(*timers, sk.Signal.never()).from_events().after_disposed(lambda: times.append(self.now))

        return sk.Signal.deferred(begin)

    def check(self, signal, expected, **names):
        """Compares the events of a signal with a diagram. `names` are values that are no ints of one digit."""
        begin, events = self.now, []

        def hear(mark):
            events.append((self.now - begin, mark))

        with signal.start(hear, on_error=lambda error: hear("#"), on_completed=lambda: hear("|")):
            self.run(1000)
        assert events == [(at, names[mark] if mark in names else int(mark) if mark.isdigit() else mark) for at, mark in parts(expected)]


def parts(diagram):
    """The marks of a diagram with their times. A group `(12)` is at the time of its parenthesis."""
    group = None
    for at, mark in enumerate(diagram):
        if mark in "()":
            group = at if mark == "(" else None
        elif mark != "-":
            yield at if group is None else group, mark


def test_one_value_of_all():
    queue = Clock()
    source = queue.cold("-3-1-2-|")
    count = source.reduce(lambda count, _: count + 1, 0)
    total = source.reduce(lambda total, value: total + value, 0)
    greatest = source.scan(max).take_last()
    sums = source.scan(lambda sums, value: (sums[0] + value, sums[1] + 1), (0, 0))
    average = sums.take_last().map(lambda sums: sums[0] / sums[1])
    queue.check(count, "-------(3|)")
    queue.check(total, "-------(6|)")
    queue.check(greatest, "-------(3|)")
    queue.check(average, "-------(2|)")


@pytest.mark.parametrize("diagram, end", [("--|", "(0|)"), ("--#", "#")])
def test_one_value_of_none(diagram, end):
    queue = Clock()
    source = queue.cold(diagram)
    queue.check(source.reduce(lambda count, _: count + 1, 0), "--" + end)
    queue.check(source.reduce(lambda total, value: total + value, 0), "--" + end)
    queue.check(source.scan(max).take_last(), diagram)
    sums = source.scan(lambda sums, value: (sums[0] + value, sums[1] + 1), (0, 0))
    queue.check(sums.take_last().map(lambda sums: sums[0] / sums[1]), diagram)


def test_the_one_with_the_greatest_key():
    queue = Clock()

    def key(value):
        return value % 4

    source = queue.cold("-1-3-5-7-4-|")
    best = source.scan(lambda best, value: max(best, value, key=key)).take_last()
    queue.check(best, "-----------(3|)")


def test_one_of_them():
    queue = Clock()
    source = queue.cold("-3-1-2-1-|")
    third = source.skip(2).take(1)
    has_one = source.filter(lambda value: value == 1).map(lambda _: True).take(1).default_if_empty(False)
    queue.check(third, "-----(2|)")
    queue.check(has_one, "---(T|)", T=True)
    assert queue.subscriptions == [[0, 5], [5, 8]], "disposed as soon as the answer is known"
    source = queue.cold("-3-|")
    queue.check(source.skip(2).take(1), "---|")
    queue.check(source.filter(lambda value: value == 1).map(lambda _: True).take(1).default_if_empty(False), "---(F|)", F=False)


@pytest.mark.parametrize("diagram, expected", [("-1-2-3-4-|", "-----1-2-|"), ("-1-2-|", "-----|"), ("-12-3#", "----1#")])
def test_all_but_the_last(diagram, expected):
    queue = Clock()
    source = queue.cold(diagram)
    without_the_last_two = source.windowed(3).map(lambda window: window[0])
    queue.check(without_the_last_two, expected)


def test_the_last_ones_by_time():
    queue = Clock()
    source = queue.cold("-1-2--3-4-|")
    stamped = source.timestamped(queue=queue).take_last(1000)
    latest = stamped.filter(lambda pair: queue.now - pair[0] <= 3).map(lambda pair: pair[1])
    queue.check(latest, "----------(4|)")
    queue.check(queue.cold("--|").timestamped(queue=queue).take_last(1000), "--|")


def same(a, b):
    end = object()
    pairs = sk.zip(a.end_with(end), b.end_with(end), limit=1000)
    are_equal = pairs.map(lambda pair: pair[0] == pair[1]).skip_while(bool).take(1).default_if_empty(True)
    return are_equal


@pytest.mark.parametrize("first, second, last, equal, disposed", [
    ("-1-2-|", "---3|", "-----(L|)", "---(F|)", 3), ("-1-2-|", "--12---|", "-------(L|)", "-------(T|)", 7),
    ("|", "-1-|", "|", "-(F|)", 1), ("--|", "-|", "-|", "--(T|)", 2), ("-1-2-|", "-1--|", "-----(L|)", "----(F|)", 4),
    ("-1-#", "-1|", "---#", "---#", 3)])
def test_both(first, second, last, equal, disposed):
    queue = Clock()
    a, b = queue.cold(first), queue.cold(second)
    last_of_both = sk.zip(a.take_last(), b.take_last())
    queue.check(last_of_both, last, L=(2, {"---3|": 3, "-1--|": 1}.get(second, 2)))
    del queue.subscriptions[:]
    begin = queue.now
    queue.check(same(a, b), equal, T=True, F=False)
    assert max(end for _, end in queue.subscriptions) - begin == disposed


def test_a_none_is_no_end_and_one_signal_is_not_far_ahead():
    queue, one, two = Clock(), sk.Signal.from_iterable([None]), sk.Signal.from_iterable([None, None])
    queue.check(same(one, two), "(F|)", F=False)
    queue.check(same(one, one), "(T|)", T=True)
    queue.check(same(sk.Signal.range(0, 1000), sk.Signal.never()), "#")
    queue.check(same(sk.Signal.range(0, 999), sk.Signal.never()), "")


@pytest.mark.parametrize("first, second, merged, one, combined, zipped, count", [
    ("-1-#", "--2---#", "-12---#", "-1---2---#", "--X---#", "--X#", 2),
    ("-1-#", "--2---|", "-12---#", "-1---2---#", "--X---#", "--X#", 1),
    ("-1-|", "--2---|", "-12---|", "-1---2---|", "--X---|", "--X|", 0),
    ("---#", "-#", "---#", "----#", "---#", "-#", 2)])
def test_errors_at_the_end(first, second, merged, one, combined, zipped, count):
    queue = Clock()
    a, b = queue.cold(first), queue.cold(second)

    def delaying_errors(join, *signals):
        def begin():
            errors = []
            sources = [signal.catch(lambda error: errors.append(error) or sk.Signal.empty()) for signal in signals]
            end = sk.Signal.deferred(lambda: sk.Signal.fail(RuntimeError(*errors)) if errors else sk.Signal.empty())
            return join(*sources).concat_with(end)

        return sk.Signal.deferred(begin)

    all_of_both = delaying_errors(sk.merge, a, b)
    queue.check(all_of_both, merged)
    joined = [(sk.concat, one), (sk.combine_latest, combined), (sk.zip, zipped)]
    for join, expected in joined:
        queue.check(delaying_errors(join, a, b), expected, X=(1, 2))
    for _ in range(2):  # each subscription has its own errors
        errors = []
        with all_of_both.start(on_error=errors.append):
            queue.run(1000)
        assert [[str(error) for error in error.args] for error in errors] == ([sorted([str(len(first) - 1), str(len(second) - 1)])[:count]] if count else [])


@pytest.mark.parametrize("first, second, expected", [
    ("-1-#", "-2-|", "-1--2-|"), ("-1-|", "-2-#", "-1--2-|"), ("#", "#", "|")])
def test_the_next_one_in_any_case(first, second, expected):
    queue = Clock()
    a, b = queue.cold(first), queue.cold(second)
    resumed = sk.concat(*(signal.catch_with(sk.Signal.empty()) for signal in (a, b)))
    queue.check(resumed, expected)


def test_parts():
    queue = Clock()
    source = queue.cold("-1-2-3-|")
    windows = source.chunked(2).map(sk.Signal.from_iterable)
    queue.check(windows.concat_all(), "---(12)(3|)")


def test_the_last_of_each_interval():
    queue = Clock()
    source = queue.cold("-12-3---4-|")
    audited = source.throttle(3, edges=sk.Throttle.TRAILING, queue=queue)
    queue.check(audited, "----3-----(4|)")


def test_a_time_for_each_value():
    """The first value's time ends at 4, that of the second one at 8, and that of the last one after the source."""
    queue = Clock()
    source = queue.cold("-3-5-----2|")

    def time(value):
        return sk.Signal.timer(value, queue=queue)

    debounced = source.switch_map(lambda value: time(value).take(1).map(lambda _: value))

    throttled = source.exhaust_map(lambda value: time(value).take(1).ignore_values().start_with(value))

    def watched(event):
        if not isinstance(event, sk.Next):
            return sk.Signal.just(event)
        late = sk.Failed(TimeoutError("too late"))
        return time(event.value).to_events().take(1).map(lambda _: late).start_with(event)

    limited = source.to_events().switch_map(watched).from_events()
    queue.check(debounced, "--------5--(2|)")
    queue.check(throttled, "-3-------2-|")
    queue.check(limited, "-3-5----#")
    quick = queue.cold("-3-5-|").to_events().switch_map(watched).from_events()
    queue.check(quick, "-3-5-|")


def test_each_in_its_time():
    queue = Clock()
    source = queue.cold("-4-1-|")
    delayed = source.merge_map(
        lambda value: sk.Signal.timer(value, queue=queue).map(lambda _: value), limit=10, waiting=0)
    queue.check(delayed, "----1(4|)")
    queue.check(sk.Signal.range(1, 11).merge_map(lambda value: sk.Signal.timer(value, queue=queue), limit=10, waiting=0), "#")


def test_what_decides_what_comes_next():
    queue = Clock()

    def page(number):
        return sk.Signal.timer(1, queue=queue).map(lambda _: number)

    def pages(number):
        return page(number).concat_with(sk.Signal.deferred(lambda: pages(number + 1)))

    queue.check(pages(1).take(3), "-12(3|)")


def test_connected_by_hand():
    seen, ends = [], []
    source = sk.Signal.from_iterable([1, 2])
    published = sk.Pipe()
    first = published.signal.start(seen.append)
    second = published.signal.start(seen.append)
    connection = source.start(published.next, on_error=published.error, on_completed=published.complete)
    third = published.signal.start(on_completed=lambda: ends.append("third"))
    assert (seen, ends) == ([1, 1, 2, 2], ["third"])
    for run in first, second, third, connection:
        run.dispose()


def test_from_the_beginning():
    queue = Clock()
    source, reset = queue.cold("-1-2-|"), sk.Pipe()
    resets = reset.signal
    shared = resets.start_with(None).switch_map(lambda _: source).share(1)
    with queue.after(3, lambda: reset.next("x")), queue.after(3, reset.complete):
        runs, late = [], []
        with queue.after(2, lambda: runs.append(shared.start(lambda value: late.append((queue.now, value))))):
            queue.check(shared, "-1--1-2-|")
    runs[0].dispose()
    assert late == [(2, 1), (4, 1), (6, 2)]
    assert queue.subscriptions == [[0, 3], [3, 8]]
