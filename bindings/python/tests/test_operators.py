import math
import threading

import pytest

import libsignalkit as sk
from libsignalkit import operators as op
from conftest import PATIENCE
from libsignalkit import Pipe, Queue, Signal, Timer, ThreadPool


def events(signal):
    """All events of a signal that ends."""
    log, ended = [], threading.Event()
    run = signal.start(log.append, on_error=lambda e: (log.append(e), ended.set()), on_completed=lambda: (log.append("C"), ended.set()))
    assert ended.wait(PATIENCE)
    run.dispose()
    return log


def of(*values):
    return Signal.from_iterable(values)


class Failure(Exception):
    pass


def attempts(*signals):
    """A signal that behaves as each of these in turn."""
    left = list(signals)
    return Signal.deferred(lambda: left.pop(0))


failure = Failure()


def failed():
    return Signal.fail(failure)


CASES = {
    "map": lambda: (of(1, 2) | op.map(str), ["1", "2", "C"]),
    "filter": lambda: (of(1, 2, 3) | op.filter(lambda n: n % 2), [1, 3, "C"]),
    "compact_map": lambda: (of(1, 2) | op.compact_map(lambda n: n - 1 or None), [1, "C"]),
    "map_error": lambda: (failed() | op.map_error(lambda e: KeyError(e)), KeyError),
    "ignore_values": lambda: (of(1) | op.ignore_values(), ["C"]),
    "distinct_until_changed": lambda: (of(1, 1, 1.0, 2, [1], [1], 1) | op.distinct_until_changed(), [1, 2, [1], 1, "C"]),
    "distinct_until_changed by": lambda: (of(1, 2, 12, 3) | op.distinct_until_changed(lambda a, b: a % 10 == b % 10), [1, 2, 3, "C"]),
    "serialized": lambda: (of(1) | op.serialized(), [1, "C"]),
    "reduce": lambda: (of(1, 2, 3) | op.reduce(lambda a, b: a + b, 10), [16, "C"]),
    "reduce of an error": lambda: (of(1) | op.concat_with(failed()) | op.reduce(max, 0), [failure]),
    "scan": lambda: (of(1, 2, 3) | op.scan(lambda a, b: a + b, 10), [11, 13, 16, "C"]),
    "scan without an initial value": lambda: (of(1, 2, 3) | op.scan(lambda a, b: a + b), [1, 3, 6, "C"]),
    "scan of None": lambda: (of(None, 2) | op.scan(lambda a, b: (a, b)), [None, (None, 2), "C"]),
    "scan by name": lambda: (of(1, 2) | op.scan(lambda a, b: a + b, initial=5), [6, 8, "C"]),
    "scan twice": lambda: (of(1, 2) | op.scan(lambda a, b: f"{a}{b}", "") | op.scan(lambda a, b: a + len(b), 0), [1, 3, "C"]),
    "pairwise": lambda: (of(1, "a", []) | op.pairwise(), [(1, "a"), ("a", []), "C"]),
    "enumerated": lambda: (of("a", "b") | op.enumerated(), [(0, "a"), (1, "b"), "C"]),
    "to_array": lambda: (of(1, 2, 3) | op.to_array(), [[1, 2, 3], "C"]),
    "to_array that is full": lambda: (of(1, 2, 3) | op.to_array(limit=2, overflow="drop_oldest"), [[2, 3], "C"]),
    "to_array that fails": lambda: (of(1, 2, 3) | op.to_array(limit=2), sk.OverflowedError),
    "distinct": lambda: (of(1, 2, 1.0, 3, 2) | op.distinct(limit=10), [1, 2, 3, "C"]),
    "distinct without a limit": lambda: (of(*range(2000), *range(2000)) | op.distinct() | op.take_last(1), [1999, "C"]),
    "distinct by": lambda: (of(10, 11, 20, 21) | op.distinct(limit=10, key=lambda n: n // 10), [10, 20, "C"]),
    "distinct that forgets": lambda: (of(1, 2, 3, 1, 3) | op.distinct(limit=2), [1, 2, 3, 1, "C"]),
    "distinct that does not remember": lambda: (of(1, 2, 2, 1) | op.distinct(limit=1, overflow="drop_newest"), [1, 2, 2, "C"]),
    "distinct that keeps the latest": lambda: (of(1, 2, 3, 3, 2) | op.distinct(limit=2, overflow="latest"), [1, 2, 3, 2, "C"]),
    "distinct that fails": lambda: (of(1, 1, 2) | op.distinct(limit=1, overflow="error") | op.ignore_values(), sk.OverflowedError),
    "take": lambda: (of(1, 2, 3) | op.take(2), [1, 2, "C"]),
    "take 0": lambda: (of(1) | op.take(0), ["C"]),
    "take_last": lambda: (of(1, 2) | op.take_last(), [2, "C"]),
    "take_last of several": lambda: (of(1, 2, 3) | op.take_last(2), [2, 3, "C"]),
    "take_while": lambda: (of(1, 2, 3, 1) | op.take_while(lambda n: n < 3), [1, 2, "C"]),
    "skip": lambda: (of(1, 2, 3) | op.skip(2), [3, "C"]),
    "skip_while": lambda: (of(1, 2, 3, 1) | op.skip_while(lambda n: n < 3), [3, 1, "C"]),
    "start_with": lambda: (of(1) | op.start_with("a", []) | op.start_with(), ["a", [], 1, "C"]),
    "end_with": lambda: (of(1) | op.end_with("a", "b"), [1, "a", "b", "C"]),
    "default_if_empty": lambda: (of() | op.default_if_empty(None), [None, "C"]),
    "switch_if_empty": lambda: (of() | op.switch_if_empty(of(1, 2)), [1, 2, "C"]),
    "switch_if_empty not": lambda: (of(1) | op.switch_if_empty(of(2)), [1, "C"]),
    "catch_and_return": lambda: (of(1) | op.concat_with(failed()) | op.catch_and_return(2), [1, 2, "C"]),
    "concat": lambda: (sk.concat(of(1), of(), of(2, 3)), [1, 2, 3, "C"]),
    "repeat": lambda: (of(1, 2) | op.map(str) | op.repeat(2), ["1", "2", "1", "2", "C"]),
    "switch_to_latest": lambda: (of(of(1, 2), of(3)) | op.switch_to_latest(), [1, 2, 3, "C"]),
    "concat_all": lambda: (of(of(1, 2), of(3)) | op.concat_all(), [1, 2, 3, "C"]),
    "concat_latest": lambda: (of(of(1), of(2)) | op.concat_latest(), [1, 2, "C"]),
    "take_until_replacement": lambda: (Signal.never() | op.take_until_replacement(of(of(1))), [1, "C"]),
    "switch_map": lambda: (of(1, 2) | op.switch_map(lambda n: of(n, n)), [1, 1, 2, 2, "C"]),
    "concat_map": lambda: (of(1, 2) | op.concat_map(lambda n: of(n, n) | op.map(str)), ["1", "1", "2", "2", "C"]),
    "concat_map_latest": lambda: (of(1, 2) | op.concat_map_latest(lambda n: of(n)), [1, 2, "C"]),
    "switch_map of none": lambda: (of(1) | op.switch_map(lambda n: n), TypeError),
    "concat_with": lambda: (of(1) | op.concat_with(of(2)), [1, 2, "C"]),
    "catch": lambda: (failed() | op.catch(lambda e: of(type(e).__name__)), ["Failure", "C"]),
    "repeat without limit": lambda: (of(1, 2) | op.repeat() | op.take(5), [1, 2, 1, 2, 1, "C"]),
    "repeat with stages": lambda: (of(1) | op.map(str) | op.repeat() | op.distinct_until_changed(lambda a, b: False) | op.map(int) | op.take(3), [1, 1, 1, "C"]),
    "retry": lambda: (attempts(failed(), of(2)) | op.retry(delay=0, decide=lambda e, _: isinstance(e, Failure)), [2, "C"]),
    "retry not": lambda: (failed() | op.retry(decide=lambda e, _: False), [failure]),
    "combine_latest": lambda: (sk.combine_latest(of(1), of("a", [])), [(1, "a"), (1, []), "C"]),
    "merge": lambda: (sk.merge(of(1), of(2)), [1, 2, "C"]),
    "merge_all": lambda: (of(of(1, 2), of(3)) | op.merge_all(limit=2), [1, 2, 3, "C"]),
    "merge_map": lambda: (of(1, 2) | op.merge_map(lambda n: of(n, n), limit=None, waiting=0), [1, 1, 2, 2, "C"]),
    "merge_map without room": lambda: (of(1, 2) | op.merge_map(lambda n: Signal.never(), limit=1, waiting=0), sk.OverflowedError),
    "merge_map that drops": lambda: (
        of(1, 2) | op.merge_map(lambda n: of(n) | op.concat_with(Signal.never()), limit=1, waiting=0, overflow="drop_newest") | op.take(1), [1, "C"]),
    "merge_all_ordered": lambda: (of(of(1, 2), of(3)) | op.merge_all_ordered(limit=2), [1, 2, 3, "C"]),
    "map_ordered": lambda: (of(1, 2) | op.map_ordered(lambda n: of(n, n), limit=None, waiting=0), [1, 1, 2, 2, "C"]),
    "map_ordered without room": lambda: (of(1, 2) | op.map_ordered(lambda n: Signal.never(), limit=1, waiting=0), sk.OverflowedError),
    "merge_map of none": lambda: (of(1) | op.merge_map(lambda n: n, limit=1, waiting=0), TypeError),
    "switch_map_per": lambda: (of(1, 2, 3) | op.switch_map_per(lambda n: n % 2, lambda n: of(n, n), limit=1), [1, 1, 2, 2, 3, 3, "C"]),
    "switch_map_per without room": lambda: (
        of(1, 2) | op.switch_map_per(lambda n: (n, "key"), lambda n: Signal.never(), limit=1), sk.OverflowedError),
    "switch_map_per with the latest": lambda: (
        of(1, 2, 3) | op.switch_map_per(lambda n: (n % 2, "key"), lambda n: of(n) | op.concat_with(Signal.never()), limit=2, overflow="drop_newest") | op.take(3),
        [1, 2, 3, "C"]),
    "switch_map_per of what is no key": lambda: (of(1) | op.switch_map_per(lambda n: [n], of, limit=1), TypeError),
    "group_by": lambda: (
        of(1, 2, 11, 3) | op.group_by(lambda n: (n // 10,), lambda key, values: values | op.reduce(lambda all, n: all + (n,), key)),
        [(0, 1, 2, 3), (1, 11), "C"]),
    "group_by, the oldest completed": lambda: (
        of(1, 2, 1) | op.group_by(lambda n: n, lambda key, values: values | op.reduce(lambda all, n: all + n, 0), limit=1, overflow="drop_oldest"),
        [1, 2, 1, "C"]),
    "group_by without room": lambda: (of(1, 2) | op.group_by(lambda n: n, lambda key, values: values | op.ignore_values(), limit=1), sk.OverflowedError),
    "group_by of no signal": lambda: (of(1) | op.group_by(lambda n: n, lambda key, values: 5, limit=1), TypeError),
    "exhaust_map": lambda: (of(1, 2) | op.exhaust_map(lambda n: of(n)), [1, 2, "C"]),
    "zip": lambda: (sk.zip(of(1, 2, 3), of("a", []), limit=3), [(1, "a"), (2, []), "C"]),
    "zip without a limit": lambda: (sk.zip(of(*range(2000)), of("a")), [(0, "a"), "C"]),
    "zip without room": lambda: (sk.zip(of(1, 2), of("a"), limit=1), sk.OverflowedError),
    "race": lambda: (sk.race(Signal.never(), of(1, 2)), [1, 2, "C"]),
    "with_latest_from": lambda: (of(1, 2) | op.with_latest_from(of("x")), [(1, "x"), (2, "x"), "C"]),
    "with_latest_from by a function": lambda: (of(1, 2) | op.with_latest_from(of(10), lambda a, b: a + b), [11, 12, "C"]),
    "sample": lambda: (of(1, 2) | op.sample(Signal.never()), [2, "C"]),
    "skip_until": lambda: (of(1, 2) | op.skip_until(of(0)), [1, 2, "C"]),
    "paused_by": lambda: (of(1, 2) | op.paused_by(of(True, False)), [1, 2, "C"]),
    "paused_by no bool": lambda: (of(1, 2) | op.paused_by(of(1)), sk.SignalError),
    "take_until": lambda: (of(1, 2) | op.take_until(of(0)), ["C"]),
    "to_events": lambda: (of(1) | op.concat_with(failed()) | op.to_events(), [sk.Next(1), sk.Failed(failure), "C"]),
    "to_events of the library": lambda: (of(1).serialized().to_events(), [sk.Next(1), sk.Completed(), "C"]),
    "from_events that completes": lambda: (of(sk.Next(None), sk.Completed(), sk.Next(2)).from_events(), [None, "C"]),
    "from_events of others": lambda: (of(5).from_events(), TypeError),
    "composed": lambda: (of(1, 22, 333) | (op.map(str) | op.take(2) | op.map(len)), [1, 2, "C"]),
    "composed with a function": lambda: (of(3, 4) | (op.skip(1) | (lambda signal: signal.map(str))), ["4", "C"]),
    "from_events": lambda: (of(sk.Next("a"), sk.Failed(failure)) | op.from_events(), ["a", failure]),
    "many stages": lambda: (of(1) | (lambda s: [s := s | op.map(lambda n: n + 1) | op.filter(lambda n: True) for _ in range(200)][-1]), [201, "C"]),
}


@pytest.mark.parametrize("name", CASES)
def test_what_it_does(name):
    signal, expected = CASES[name]()
    found = events(signal)
    if isinstance(expected, type):
        assert [type(event) for event in found] == [expected]
    else:
        assert found == expected


def test_watching():
    log = []
    signal = (
        of(1, 2)
        | op.before_started(lambda: log.append("started"))
        | op.before_next(lambda v: log.append(("before", v)))
        | op.after_next(lambda v: log.append(("after", v)))
        | op.filter(lambda v: v > 1)
        | op.before_completed(lambda: log.append("completing"))
        | op.after_completed(lambda: log.append("completed"))
        | op.after_disposed(lambda: log.append("disposed"))
    )
    signal.start(log.append)
    assert log == ["started", ("before", 1), ("after", 1), ("before", 2), 2, ("after", 2), "completing", "completed", "disposed"]
    log.clear()
    (Signal.fail(Failure()) | op.before_error(lambda e: log.append(type(e)))).start(on_error=lambda e: log.append("error"))
    assert log == [Failure, "error"]


def test_what_is_no_bound_or_no_signal_is_refused():
    for refused in [lambda: op.merge_all(limit=0, waiting=1), lambda: op.merge_all(limit=1, waiting=-3), lambda: op.merge_map(of, limit=0, waiting=0)]:
        with pytest.raises(ValueError, match="limit must be 1 or more, or None|waiting must be 0 or more, or None"):
            of() | refused()
    with pytest.raises(ValueError, match="zip: limit must be 1 or more, or None"):
        sk.zip(of(), limit=0)
    for refused in [
        lambda: op.merge_map(5, limit=1, waiting=1), lambda: op.switch_map_per(5, of, limit=1), lambda: op.group_by(of, 5, limit=1), lambda: op.sample("5"),
        lambda: op.with_latest_from(5),
    ]:
        with pytest.raises(TypeError):
            refused()


def boom(*arguments):
    raise Failure


@pytest.mark.parametrize(
    "operator",
    [
        lambda: op.distinct_until_changed(boom), lambda: op.switch_map(boom), lambda: op.concat_map(boom),
        lambda: op.concat_map_latest(boom), lambda: op.merge_map(boom, limit=1, waiting=1), lambda: op.switch_map_per(boom, of),
        lambda: op.switch_map_per(abs, boom), lambda: op.group_by(boom, of), lambda: op.group_by(abs, boom), lambda: op.exhaust_map(boom),
        lambda: op.with_latest_from(of(1), boom), lambda: op.before_next(boom), lambda: op.after_next(boom),
        lambda: op.before_completed(boom), lambda: op.before_started(boom), lambda: op.reduce(boom, 0),
        lambda: op.scan(boom, 0), lambda: op.distinct(limit=1, key=boom), lambda: op.take_while(boom),
        lambda: op.skip_while(boom), lambda: op.compact_map(boom),
    ],
)
def test_a_function_that_raises_ends_the_run(operator):
    log, pipe = [], Pipe()
    run = (pipe.signal | operator()).start(lambda v: None, on_error=log.append)
    pipe.next(1)
    pipe.next(2)
    pipe.complete()
    assert [type(error) for error in log] == [Failure]
    run.dispose()
    assert type(events(of(1, 2) | operator())[-1]) is Failure
    assert type(events(of(1, 2) | operator() | op.map(str) | op.serialized())[-1]) is Failure


@pytest.mark.parametrize("operator", [lambda: op.catch(boom), lambda: op.retry(decide=boom), lambda: op.map_error(boom), lambda: op.before_error(boom)])
def test_a_function_of_errors_that_raises_ends_the_run(operator):
    assert type(events(Signal.fail(KeyError()) | operator())[-1]) is Failure


def test_without_a_limit_there_is_no_limit(caplog):
    many = 70_000
    numbers = of(*range(many))
    assert len(numbers.to_array().get()) == many
    assert numbers.zip(of(*range(many))).take_last().get() == (many - 1, many - 1)
    assert numbers.merge_map(lambda n: of(n, n), limit=1).take_last().get() == many - 1
    assert len(numbers.chunked_by(Signal.never()).get()) == many
    assert not caplog.records
    assert numbers.distinct().take_last().get() == many - 1
    assert [record.getMessage() for record in caplog.records] == ["distinct stores 65536 keys, and has no limit"]
    caplog.clear()


def test_an_event_is_matched():
    texts = []
    for event in of(1).concat_with(failed()).to_events().iterate():
        match event:
            case sk.Next(value):
                texts.append(f"next {value}")
            case sk.Failed(error):
                texts.append(f"failed {error!r}")
    assert texts == ["next 1", "failed Failure()"] and sk.Next([1]) == sk.Next([1]) != sk.Next([2]) and sk.Completed() == sk.Completed()
    with pytest.raises(AttributeError):
        sk.Next(1).value = 2
    for wrong in lambda: op.take(1) | 5, lambda: op.map(str) | "x":
        with pytest.raises(TypeError):
            wrong()


def test_bad_bounds_are_told_at_once():
    for wrong in (lambda: op.to_array(limit=1, overflow="wait"), lambda: op.distinct(limit=1, overflow="never"), lambda: op.distinct(limit=0)):
        with pytest.raises(ValueError):
            wrong()
    with pytest.raises(ValueError, match="to_array: limit must be 1 or more, or None"):
        of(1) | op.to_array(limit=0)


@pytest.mark.parametrize("replay", [False, True])
def test_a_pipe_can_fail(replay):
    pipe, log = Pipe(replay), []

    def listen(name):
        return pipe.signal.start(lambda v: log.append((name, v)), on_error=lambda e: log.append((name, e)), on_completed=lambda: log.append((name, "C")))

    run = (pipe.signal | op.before_next(lambda v: pipe.error(failure)) | op.serialized()).start(
        lambda v: log.append(("a", v)), on_error=lambda e: log.append(("a", e)))
    listen("b")
    pipe.next(1)  # the error follows it
    pipe.next(2)
    pipe.complete()
    listen("c")
    assert log == [("a", 1), ("b", 1), ("a", failure), ("b", failure)] + [("c", 1)] * replay + [("c", failure)]
    run.dispose()


# ---- Queues and time ----


def test_deliver_on_and_run_on_a_queue():
    queue = Queue("test")
    where = []
    assert events(of(1, 2) | op.map(lambda v: (where.append(queue.is_current), v)[1]) | op.deliver_on(queue) | op.map(lambda v: (queue.is_current, v))) == [
        (True, 1), (True, 2), "C"]
    assert where == [False, False]
    where.clear()
    events(of(1) | op.before_next(lambda v: where.append(queue.is_current)) | op.run_on(queue))
    assert where == [True]


def test_timing():
    queue = Queue()
    assert events(of(1, 2, 3) | op.debounce(10, queue=queue)) == [3, "C"]
    assert events(of(1, 2, 3) | op.throttle(10, queue=queue)) == [1, 3, "C"]
    assert events(of(1) | op.delay_start(0.01, queue=queue)) == [1, "C"]
    assert events(of(1) | op.suspend_aware_delay(0.01, 0, queue=queue)) == [1, "C"]
    assert events(Signal.never() | op.timeout_first(0.01, queue=queue) | op.catch_with(of("late"))) == ["late", "C"]
    assert events(attempts(failed(), of(1)) | op.retry(delay=0.001, queue=queue)) == [1, "C"]
    assert events(attempts(failed(), failed(), of(1)) | op.retry(5, delay=0.001)) == [1, "C"]
    with pytest.raises(TypeError):
        op.run_on(5)
    with pytest.raises(sk.UsageError):
        Signal.never() | op.delay_start(float("nan"), queue=queue)


class Held:
    """A resource, which notes when it is entered and left."""

    def __init__(self, log):
        self.log = log

    def __enter__(self):
        self.log.append("in")
        return 7

    def __exit__(self, kind, error, trace):
        self.log.append("out" if error is None else kind)


def test_sources():
    queue, log = Queue(), []
    assert events(Signal.range(3, 2)) == [3, 4, "C"]
    assert events(Signal.interval(0.0001, queue=queue) | op.take(3) | op.take_last() | op.map(lambda n: n >= 2)) == [True, "C"]
    assert events(Signal.timer(0.001, queue=queue)) == [0, "C"]
    with pytest.raises(sk.UsageError):
        Signal.interval(0, queue=queue)
    assert events(sk.using(lambda: Held(log), lambda held: of(held))) == [7, "C"]
    sk.using(lambda: Held(log), lambda held: Signal.never()).start().dispose()
    assert log == ["in", "out", "in", "out"]
    assert type(events(sk.using(lambda: Held(log), lambda held: boom()))[-1]) is Failure
    assert log[4:] == ["in", Failure]


def test_values_in_their_time():
    queue = Queue()
    assert events(of(1, 2, 3) | op.chunked(2)) == [(1, 2), (3,), "C"]
    assert events(of(1, 2, 3) | op.chunked(2, 1000, queue=queue)) == [(1, 2), (3,), "C"]
    assert events(of(1, 2, 3) | op.chunked_by(Signal.never(), limit=2)) == [(1, 2), (3,), "C"]
    assert events(of(1, 2, 3, 4) | op.windowed(2)) == [(1, 2), (2, 3), (3, 4), "C"]
    assert events(of(1, 2, 3, 4, 5) | op.windowed(1, 3)) == [(1,), (4,), "C"]
    assert events(of(1, 2) | op.delay(0.001, queue=queue, limit=2)) == [1, 2, "C"]
    assert type(events(of(1, 2) | op.delay(0.001, queue=queue, limit=1))[-1]) is sk.OverflowedError
    assert events(of(1, 2, 3) | op.rate_limit(2, 0.002, queue=queue, waiting=None)) == [1, 2, 3, "C"]
    assert events(of(1, 2, 3) | op.rate_limit(2, 1000, queue=queue, waiting=0, overflow="drop_newest")) == [1, 2, "C"]
    assert events(Signal.never() | op.timeout(0.001, queue=queue) | op.catch_with(of("late"))) == ["late", "C"]
    assert events(of(1, 2) | op.throttle(1000, queue=queue, edges=sk.Throttle.LEADING)) == [1, "C"]
    assert events(of(1, 2) | op.throttle(1000, queue=queue, edges=sk.Throttle.TRAILING)) == [2, "C"]
    assert [v[1] for v in events(of("a") | op.timestamped(queue=queue))[:1]] == ["a"]
    assert [v[1] for v in events(of("a") | op.time_interval(queue=queue))[:1]] == ["a"]
    assert events(Signal.never() | op.take_for(0.001, queue=queue)) == ["C"]
    assert events(of(1, 2) | op.sample(Signal.never())) == [2, "C"] and events(of(1, 2) | op.sample(1000, queue=queue)) == [2, "C"]
    assert events(attempts(failed(), failed(), of(1)) | op.retry(3, delay=0.001, jitter=0.5, seed=1, queue=queue)) == [1, "C"]
    assert events(attempts(failed(), of(1)) | op.retry(decide=lambda error, failures: of(failures))) == [1, "C"]
    assert events(attempts(failed(), of(1)) | op.retry(decide=lambda error, failures: 0.001)) == [1, "C"]
    assert events(failed() | op.retry(decide=lambda error, failures: Signal.empty())) == [failure]
    assert events(failed() | op.retry(3, delay=0, decide=lambda error, failures: None)) == [failure]
    with pytest.raises(ValueError):
        op.delay(1, queue=queue, limit=1, overflow="wait")
    with pytest.raises(ValueError, match="retry: factor must be 1 or more"):
        of(1) | op.retry(1, factor=0.5)


def test_queue_work_and_timers(caplog, wait_until):
    queue, log = Queue(), []
    assert queue.sync(lambda: (queue.is_current, queue.sync(lambda: 5))) == (True, 5)
    with pytest.raises(Failure):
        queue.sync(boom)
    queue.submit(lambda: (queue.dispatch(lambda: log.append("dispatched")), queue.submit(lambda: log.append("inline"))))
    queue.after(0.001, lambda: log.append("after"))
    queue.after(1000, lambda: log.append("never")).dispose()
    queue.submit(boom)
    timer = Timer(0.001, lambda: log.append("timer"), queue=queue, repeat=True)
    timer.start()
    wait_until(lambda: log.count("timer") > 2)
    timer.invalidate()
    wait_until(lambda: "after" in log and "dispatched" in log)
    assert log.index("inline") < log.index("dispatched") and "never" not in log and len(caplog.records) == 1


def test_thread_pool(wait_until):
    pool, log = ThreadPool(2), []
    pool.add_task(lambda: log.append("task"))
    queue = pool.next_queue()
    for n in range(5):
        queue.dispatch(lambda n=n: log.append(n))
    wait_until(lambda: len(log) == 6)
    assert [n for n in log if n != "task"] == [0, 1, 2, 3, 4]
    whole = pool.as_queue()
    whole.dispatch(lambda: log.append(pool.next_queue() is not None))
    wait_until(lambda: log[-1] is True)
    pool.shutdown()


def test_concurrent_queue(wait_until):
    queue, log, barrier = Queue.concurrent("both", 2), [], threading.Barrier(2)
    for _ in range(2):
        queue.dispatch(lambda: log.append(barrier.wait()))
    wait_until(lambda: sorted(log) == [0, 1])
    assert repr(queue) == "<Queue: both>"


def test_callbacks_on_foreign_threads_keep_order_and_objects():
    queues, pipe, seen = [Queue() for _ in range(4)], Pipe(), []
    runs = [(pipe.signal | op.deliver_on(queue) | op.map(lambda v: v["n"])).start(lambda n, i=i: seen.append((i, n))) for i, queue in enumerate(queues)]
    for n in range(1000):
        pipe.next({"n": n})
    for queue in queues:
        queue.sync(lambda: None)
    for i in range(4):
        assert [n for q, n in seen if q == i] == list(range(1000))
    for run in runs:
        run.dispose()


def test_share(log):
    starts, pipe = [], Pipe()
    shared = pipe.signal | op.before_started(lambda: starts.append(1)) | op.share(2, keep=math.inf)
    log.start(shared).dispose()
    for n in range(4):
        pipe.next(n)
    run = log.start(shared)
    assert log == [2, 3] and starts == [1]
    run.dispose()
    queue = Queue()
    kept = Signal.just(1) | op.share(1, keep=1.0, queue=queue)
    assert kept.get(1) == 1 and kept.get(1) == 1


def test_what_nothing_and_the_end_of_an_interval_mean(log):
    clock = sk.VirtualQueue()
    log.start(sk.combine_latest())
    assert log == [(), "completed"]
    log.clear()
    for edges in sk.Throttle.LEADING, sk.Throttle.BOTH:
        pipe = Pipe()
        for value in range(4):  # each is there before the timer of the interval that ends then
            clock.after(value, lambda value=value: pipe.next(value))
        run = pipe.signal.throttle(1, queue=clock, edges=edges).start(log.append)
        clock.advance(4)
        run.dispose()
        assert log == [0, 1, 2, 3], edges
        log.clear()
    ran = []
    clock.after(-1, lambda: ran.append("after"))
    timer = Timer(-1, lambda: ran.append("timer"), queue=clock)
    timer.start()
    clock.advance(0)
    assert ran == ["after", "timer"]
    for operator in (op.delay_start, op.debounce, op.throttle, op.take_for, op.sample):
        with pytest.raises(sk.UsageError):
            Signal.just(1) | operator(-1, queue=clock)
