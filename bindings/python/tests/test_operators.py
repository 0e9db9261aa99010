import threading

import pytest

import signalkit as sk
from conftest import PATIENCE
from signalkit import Pipe, Queue, Signal, TakeAction, Timer, ThreadPool, Event


def events(signal):
    """All events of a signal that ends."""
    log, ended = [], threading.Event()
    run = signal.start(log.append, lambda e: (log.append(e), ended.set()), lambda: (log.append("C"), ended.set()))
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
    "map": lambda: (of(1, 2) | sk.map(str), ["1", "2", "C"]),
    "filter": lambda: (of(1, 2, 3) | sk.filter(lambda n: n % 2), [1, 3, "C"]),
    "compact_map": lambda: (of(1, 2) | sk.compact_map(lambda n: n - 1 or None), [1, "C"]),
    "map_error": lambda: (failed() | sk.map_error(lambda e: KeyError(e)), KeyError),
    "ignore_values": lambda: (of(1) | sk.ignore_values(), ["C"]),
    "distinct": lambda: (of(1, 1, 1.0, 2, [1], [1], 1) | sk.distinct_until_changed(), [1, 2, [1], 1, "C"]),
    "distinct by": lambda: (of(1, 2, 12, 3) | sk.distinct_until_changed(lambda a, b: a % 10 == b % 10), [1, 2, 3, "C"]),
    "serialized": lambda: (of(1) | sk.serialized(), [1, "C"]),
    "reduce": lambda: (of(1, 2, 3) | sk.reduce(10, lambda a, b: a + b), [16, "C"]),
    "reduce of an error": lambda: (of(1) | sk.then(failed()) | sk.reduce(0, max), [failure]),
    "take": lambda: (of(1, 2, 3) | sk.take(2), [1, 2, "C"]),
    "take 0": lambda: (of(1) | sk.take(0), ["C"]),
    "take_until": lambda: (of(1, 2, 3) | sk.take_until(lambda n: TakeAction.PASSTHROUGH_AND_COMPLETE if n == 2 else TakeAction.PASSTHROUGH), [1, 2, "C"]),
    "take_last": lambda: (of(1, 2) | sk.take_last(), [2, "C"]),
    "last of none": lambda: (of() | sk.last(), [None, "C"]),
    "switch_to_latest": lambda: (of(of(1, 2), of(3)) | sk.switch_to_latest(), [1, 2, 3, "C"]),
    "queued": lambda: (of(of(1, 2), of(3)) | sk.queued(), [1, 2, 3, "C"]),
    "throttled": lambda: (of(of(1), of(2)) | sk.throttled(), [1, 2, "C"]),
    "take_until_replacement": lambda: (Signal.never() | sk.take_until_replacement(of(of(1))), [1, "C"]),
    "map_to_signal": lambda: (of(1, 2) | sk.map_to_signal(lambda n: of(n, n)), [1, 1, 2, 2, "C"]),
    "map_to_queue": lambda: (of(1, 2) | sk.map_to_queue(lambda n: of(n, n) | sk.map(str)), ["1", "1", "2", "2", "C"]),
    "map_to_throttled": lambda: (of(1, 2) | sk.map_to_throttled(lambda n: of(n)), [1, 2, "C"]),
    "map_to_signal of none": lambda: (of(1) | sk.map_to_signal(lambda n: n), TypeError),
    "then": lambda: (of(1) | sk.then(of(2)), [1, 2, "C"]),
    "catch": lambda: (failed() | sk.catch(lambda e: of(type(e).__name__)), ["Failure", "C"]),
    "restart": lambda: (of(1, 2) | sk.restart() | sk.take(5), [1, 2, 1, 2, 1, "C"]),
    "restart with stages": lambda: (of(1) | sk.map(str) | sk.restart() | sk.distinct_until_changed(lambda a, b: False) | sk.map(int) | sk.take(3), [1, 1, 1, "C"]),
    "restart_if_error": lambda: (attempts(failed(), of(2)) | sk.restart_if_error(), [2, "C"]),
    "retry_if": lambda: (attempts(failed(), of(2)) | sk.retry_if(lambda e: isinstance(e, Failure)), [2, "C"]),
    "retry_if not": lambda: (failed() | sk.retry_if(lambda e: False), [failure]),
    "combine_latest": lambda: (sk.combine_latest(of(1), of("a", [])), [(1, "a"), (1, []), "C"]),
    "merge": lambda: (sk.merge(of(1), of(2)), [1, 2, "C"]),
    "merged": lambda: (of(of(1, 2), of(3)) | sk.merged(2, None), [1, 2, 3, "C"]),
    "map_to_merged": lambda: (of(1, 2) | sk.map_to_merged(lambda n: of(n, n), None, 0), [1, 1, 2, 2, "C"]),
    "map_to_merged without room": lambda: (of(1, 2) | sk.map_to_merged(lambda n: Signal.never(), 1, 0), OverflowError),
    "map_to_merged that drops": lambda: (
        of(1, 2) | sk.map_to_merged(lambda n: of(n) | sk.then(Signal.never()), 1, 0, sk.Overflow.DROP_NEWEST) | sk.take(1), [1, "C"]),
    "map_to_merged of none": lambda: (of(1) | sk.map_to_merged(lambda n: n, 1, 0), TypeError),
    "map_to_first": lambda: (of(1, 2) | sk.map_to_first(lambda n: of(n)), [1, 2, "C"]),
    "zip": lambda: (sk.zip(of(1, 2, 3), of("a", []), limit=3), [(1, "a"), (2, []), "C"]),
    "zip without room": lambda: (sk.zip(of(1, 2), of("a"), limit=1), OverflowError),
    "race": lambda: (sk.race(Signal.never(), of(1, 2)), [1, 2, "C"]),
    "with_latest_from": lambda: (of(1, 2) | sk.with_latest_from(of("x")), [(1, "x"), (2, "x"), "C"]),
    "with_latest_from by a function": lambda: (of(1, 2) | sk.with_latest_from(of(10), lambda a, b: a + b), [11, 12, "C"]),
    "sample": lambda: (of(1, 2) | sk.sample(Signal.never()), [2, "C"]),
    "skip_until_signal": lambda: (of(1, 2) | sk.skip_until_signal(of(0)), [1, 2, "C"]),
    "take_until_signal": lambda: (of(1, 2) | sk.take_until_signal(of(0)), ["C"]),
    "to_events": lambda: (of(1) | sk.then(failed()) | sk.to_events(), [Event(sk.NEXT, 1), Event(sk.ERROR, failure), "C"]),
    "from_events": lambda: (of(Event(sk.NEXT, "a"), Event(sk.ERROR, failure)) | sk.from_events(), ["a", failure]),
    "multicast": lambda: (of(1) | sk.multicast(), [1, "C"]),
    "many stages": lambda: (of(1) | (lambda s: [s := s | sk.map(lambda n: n + 1) | sk.filter(lambda n: True) for _ in range(200)][-1]), [201, "C"]),
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
        | sk.before_started(lambda: log.append("started"))
        | sk.before_next(lambda v: log.append(("before", v)))
        | sk.after_next(lambda v: log.append(("after", v)))
        | sk.filter(lambda v: v > 1)
        | sk.before_completed(lambda: log.append("completing"))
        | sk.after_completed(lambda: log.append("completed"))
        | sk.after_disposed(lambda: log.append("disposed"))
    )
    signal.start(log.append)
    assert log == ["started", ("before", 1), ("after", 1), ("before", 2), 2, ("after", 2), "completing", "completed", "disposed"]
    log.clear()
    (Signal.fail(Failure()) | sk.before_error(lambda e: log.append(type(e)))).start(on_error=lambda e: log.append("error"))
    assert log == [Failure, "error"]


def test_what_is_no_bound_or_no_signal_is_refused():
    for refused in [lambda: sk.merged(0, 1), lambda: sk.merged(1, -2), lambda: sk.map_to_merged(of, 0, 0)]:
        with pytest.raises(sk.UsageError):
            of() | refused()
    with pytest.raises(sk.UsageError):
        sk.zip(of(), limit=0)
    for refused in [lambda: sk.map_to_merged(5, 1, 1), lambda: sk.sample(5), lambda: sk.with_latest_from(5)]:
        with pytest.raises(TypeError):
            refused()


def boom(*arguments):
    raise Failure


@pytest.mark.parametrize(
    "operator",
    [
        lambda: sk.distinct_until_changed(boom), lambda: sk.take_until(boom), lambda: sk.map_to_signal(boom), lambda: sk.map_to_queue(boom),
        lambda: sk.map_to_throttled(boom), lambda: sk.map_to_merged(boom, 1, 1), lambda: sk.map_to_first(boom),
        lambda: sk.with_latest_from(of(1), boom), lambda: sk.before_next(boom), lambda: sk.after_next(boom), lambda: sk.before_completed(boom),
        lambda: sk.before_started(boom), lambda: sk.reduce(0, boom), lambda: sk.compact_map(boom),
    ],
)
def test_a_function_that_raises_ends_the_run(operator):
    log, pipe = [], Pipe()
    run = (pipe.signal | operator()).start(lambda v: None, log.append)
    pipe.next(1)
    pipe.next(2)
    pipe.complete()
    assert [type(error) for error in log] == [Failure]
    run.dispose()
    assert type(events(of(1, 2) | operator())[-1]) is Failure
    assert type(events(of(1, 2) | operator() | sk.map(str) | sk.serialized())[-1]) is Failure


@pytest.mark.parametrize("operator", [lambda: sk.catch(boom), lambda: sk.retry_if(boom), lambda: sk.map_error(boom), lambda: sk.before_error(boom)])
def test_a_function_of_errors_that_raises_ends_the_run(operator):
    assert type(events(Signal.fail(KeyError()) | operator())[-1]) is Failure


# ---- Queues and time ----


def test_deliver_on_and_run_on_a_queue():
    queue = Queue("test")
    where = []
    assert events(of(1, 2) | sk.map(lambda v: (where.append(queue.is_current), v)[1]) | sk.deliver_on(queue) | sk.map(lambda v: (queue.is_current, v))) == [
        (True, 1), (True, 2), "C"]
    assert where == [False, False]
    where.clear()
    events(of(1) | sk.before_next(lambda v: where.append(queue.is_current)) | sk.run_on(queue))
    assert where == [True]


def test_timing():
    queue = Queue()
    assert events(of(1, 2, 3) | sk.debounce(10, queue)) == [3, "C"]
    assert events(of(1, 2, 3) | sk.throttle(10, queue)) == [1, 3, "C"]
    assert events(of(1) | sk.delay(0.01, queue)) == [1, "C"]
    assert events(of(1) | sk.suspend_aware_delay(0.01, 0, queue)) == [1, "C"]
    assert events(Signal.never() | sk.timeout(0.01, of("late"), queue)) == ["late", "C"]
    assert events(attempts(failed(), of(1)) | sk.retry(0.001, 0.01, queue)) == [1, "C"]
    assert events(attempts(failed(), failed(), of(1)) | sk.retry(0.001, 0.01, queue, max_retries=5)) == [1, "C"]
    assert type(events(failed() | sk.retry(0.001, 0.01, queue, on_error=boom))[-1]) is Failure
    with pytest.raises(TypeError):
        sk.run_on(5)
    with pytest.raises(sk.UsageError):
        Signal.never() | sk.delay(float("nan"), queue)


def test_queue_work_and_timers(caplog, wait_until):
    queue, log = Queue(), []
    assert queue.sync(lambda: (queue.is_current, queue.sync(lambda: 5))) == (True, 5)
    with pytest.raises(Failure):
        queue.sync(boom)
    queue.submit(lambda: (queue.dispatch(lambda: log.append("dispatched")), queue.submit(lambda: log.append("inline"))))
    queue.after(0.001, lambda: log.append("after"))
    queue.after(1000, lambda: log.append("never")).dispose()
    queue.submit(boom)
    timer = Timer(0.001, lambda: log.append("timer"), queue, repeat=True)
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


def test_callbacks_on_foreign_threads_keep_order_and_objects():
    queues, pipe, seen = [Queue() for _ in range(4)], Pipe(), []
    done = threading.Event()
    runs = [(pipe.signal | sk.deliver_on(queue) | sk.map(lambda v: v["n"])).start(lambda n, i=i: seen.append((i, n))) for i, queue in enumerate(queues)]
    for n in range(1000):
        pipe.next({"n": n})
    for queue in queues:
        queue.sync(lambda: None)
    for i in range(4):
        assert [n for q, n in seen if q == i] == list(range(1000))
    for run in runs:
        run.dispose()
