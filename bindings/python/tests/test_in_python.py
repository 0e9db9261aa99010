"""Tests of the parts that stay in Python: stages with state, iterable or combined sources, changing values. The library's guarantees apply to them."""

import gc
import itertools
import queue
import threading
import time
import traceback
import weakref

import pytest

import libsignalkit as sk
from libsignalkit import operators as op
from conftest import PATIENCE, alive
from libsignalkit import Pipe, Queue, Signal, State, UsageError, VirtualQueue
from libsignalkit._library import is_guarded


def on_threads(count, work):
    threads = [threading.Thread(target=work, args=(n,)) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)


# ---- Iterables ----


def test_an_iterable_without_end_stops_when_nobody_listens(log):
    taken = []

    def numbers():
        for n in itertools.count():
            taken.append(n)
            yield n

    for few in (
        Signal.from_iterable(numbers()).take(3),
        Signal.from_iterable(numbers()).map(lambda n: n).take_while(lambda n: n < 3),
        Signal.from_iterable(numbers()).serialized() | op.take(1),
        Signal.from_iterable(numbers()).with_latest_from(Signal.just(0)).take(3),
        Signal.just(0).with_latest_from(Signal.from_iterable(numbers()).take(3)),
    ):
        taken.clear()
        log.start(few)
        assert log[-1] == "completed" and len(taken) <= 5
    with pytest.raises(ZeroDivisionError):
        Signal.from_iterable(numbers()).map(lambda n: 1 // (2 - n)).take(10).to_array().get(1)


def test_each_start_iterates_anew_and_what_does_not_is_the_error(log):
    numbers = Signal.from_iterable([1, 2])
    log.start(numbers)
    log.start(numbers)
    assert log == [1, 2, "completed"] * 2

    class Broken:
        def __iter__(self):
            return 5

    log.start(Signal.from_iterable(Broken()))
    assert isinstance(log[-1], TypeError)


def test_a_callback_disposes_of_the_run_of_an_iterable(log):
    runs = sk.DisposableSlot()
    pipe = Pipe()
    runs.set(pipe.signal.switch_map(lambda _: Signal.from_iterable(range(10))).start(lambda n: (log.append(n), n == 2 and runs.dispose())))
    pipe.next(None)
    assert log == [0, 1, 2]


# ---- Stages with state ----

STATEFUL = {
    "scan": lambda s: s.scan(lambda total, n: total + n, 0),
    "distinct_until_changed": lambda s: s.distinct_until_changed(),
    "distinct": lambda s: s.distinct(limit=None),
    "skip_while": lambda s: s.skip_while(lambda n: n < 2),
    "pairwise": lambda s: s.pairwise(),
    "enumerated": lambda s: s.enumerated(),
    "with_latest_from": lambda s: s.with_latest_from(Signal.just("x")),
}


@pytest.mark.parametrize("around", [lambda o: o, lambda o: lambda s: o(s.map(lambda n: n)).filter(lambda v: True).take(100)], ids=["alone", "among others"])
@pytest.mark.parametrize("name", STATEFUL)
def test_each_run_has_a_state_of_its_own(name, around, log):
    pipe = Pipe()
    signal = around(STATEFUL[name])(pipe.signal)
    seen = []
    first = signal.start(seen.append)
    pipe.next(1)
    second = log.start(signal)
    for n in 1, 2, 2, 3:
        pipe.next(n)
    pipe.complete()
    alone = []
    assert around(STATEFUL[name])(Signal.from_iterable([1, 1, 2, 2, 3])).start(alone.append) and seen == alone
    alone.clear()
    assert around(STATEFUL[name])(Signal.from_iterable([1, 2, 2, 3])).start(alone.append) and log == [*alone, "completed"]
    del first, second


@pytest.mark.parametrize("stages", [lambda s: s, lambda s: s.map(lambda n: n).filter(lambda n: True)], ids=["itself", "behind stages"])
def test_a_state_is_for_one_event_at_a_time(stages):
    """Of a generator that emits from several threads."""
    counts, steps = [], []

    def add(total, n):
        steps.append("in")
        time.sleep(0)  # lets the others run
        steps.append("out")
        return total + n

    signal = stages(Signal.create(lambda subscriber: on_threads(4, lambda _: [subscriber.next(1) for _ in range(500)]))).scan(add, 0)
    run = signal.start(counts.append)
    assert counts == list(range(1, 2001)) and steps == ["in", "out"] * 2000
    run.dispose()


def test_what_a_callback_puts_comes_behind(log):
    pipe = Pipe()
    run = pipe.signal.scan(lambda total, n: total + n, 0).start(lambda total: (pipe.next(10) if total == 1 else None, log.append(total)))
    pipe.next(1)
    pipe.next(2)
    assert log == [1, 11, 13]
    run.dispose()


# ---- The latest of another ----


def test_the_latest_of_another_in_the_order_in_which_it_came(log):
    values, other = Pipe(), Pipe()
    run = log.start(values.signal.with_latest_from(other.signal))
    values.next(1)  # there is no other yet
    other.next(None)
    values.next(2)
    assert log == [(2, None)]
    run.dispose()

    def receive(pair):
        log.append(pair)
        if pair == (3, "a"):
            values.next(4)  # waits in its pipe
            other.next("b")
            values.next(5)

    log.clear()
    run = values.signal.with_latest_from(other.signal).start(receive)
    other.next("a")
    values.next(3)
    assert log == [(3, "a"), (4, "b"), (5, "b")]
    run.dispose()


def test_the_end_of_either_and_of_both(log):
    def case(ending):
        values, other, left = Pipe(), Pipe(), []
        log.clear()
        run = log.start(values.signal.after_disposed(lambda: left.append("values")).with_latest_from(other.signal.after_disposed(lambda: left.append("other"))))
        other.next("a")
        values.next(1)
        ending(values, other, run)
        values.next(2)
        run.dispose()
        assert sorted(left) == ["other", "values"]
        return log[1:]

    error = KeyError()
    assert case(lambda values, other, run: other.complete()) == [(2, "a")]
    assert case(lambda values, other, run: values.complete()) == ["completed"]
    assert case(lambda values, other, run: other.error(error)) == [error]
    assert case(lambda values, other, run: values.error(error)) == [error]
    assert case(lambda values, other, run: run.dispose()) == []


def test_who_meets_goes_with_the_pipes():
    class Callback:
        def __call__(self, value):
            pass

    values, other, callback = Pipe(), Pipe(), Callback()
    gone = weakref.ref(callback)
    run = values.signal.with_latest_from(other.signal).start(callback)
    del callback
    assert gone()
    del values, other
    gc.collect()
    assert gone() is None
    run.dispose()


def test_values_and_the_other_of_threads(log):
    values, other = Pipe(), Pipe()
    run = log.start(values.signal.with_latest_from(other.signal.deliver_on(Queue())))
    other.next(-1)

    def put(thread):
        for n in range(500):
            (other if thread == 0 else values).next(n)

    on_threads(3, put)
    run.dispose()
    latest = [pair[1] for pair in log]
    assert latest == sorted(latest) and len(log) <= 1000


# ---- Lifetimes ----


def test_a_pipe_tells_that_a_subscription_asks_for_a_pause(wait_until):
    pipe, queue, seen, resumed = Pipe(), VirtualQueue(), [], []
    run = pipe.signal.deliver_on(queue, limit=2).start(seen.append)
    beside = pipe.signal.start()
    paused = [(pipe.next(n), pipe.is_paused)[1] for n in range(3)]
    assert paused == [False, True, True]
    pipe.on_resume(lambda: resumed.append(queue.is_current), queue=queue)
    assert resumed == []
    queue.run(100)
    assert seen == [0, 1, 2] and not pipe.is_paused
    wait_until(lambda: queue.pending)
    queue.run(100)
    assert resumed == [True]
    pipe.on_resume(lambda: resumed.append(queue.is_current), queue=queue)
    assert resumed == [True]  # not inline
    queue.run(100)
    assert resumed == [True, True]
    run.dispose()
    beside.dispose()

    # The end of the last paused subscription is a resumption.
    run = pipe.signal.skip(0).start()
    hold = run.hold()
    assert pipe.is_paused
    pipe.on_resume(lambda: resumed.append("over"), queue=queue)
    run.dispose()
    assert not pipe.is_paused
    wait_until(lambda: queue.pending)
    queue.run(100)
    assert resumed[2:] == ["over"]
    hold.dispose()

    # Two subscriptions, of which the later one decides.
    runs = [pipe.signal.skip(0).start() for _ in range(2)]
    holds = [run.hold() for run in runs]
    pipe.on_resume(lambda: resumed.append("both"), queue=queue)
    holds[0].dispose()
    time.sleep(0.005)
    assert pipe.is_paused and queue.pending == 0
    holds[1].dispose()
    wait_until(lambda: queue.pending)
    queue.run(100)
    assert resumed[3:] == ["both"] and not pipe.is_paused

    hold = runs[0].hold()
    pipe.on_resume(lambda: resumed.append("never"), queue=queue)
    del pipe
    hold.dispose()
    time.sleep(0.005)
    queue.run(100)
    assert resumed[4:] == []
    for run in runs:
        run.dispose()
    with pytest.raises(TypeError, match="on_resume needs a Queue, not 5"):
        Pipe().on_resume(print, queue=5)


@pytest.mark.parametrize(
    "signal",
    [
        lambda: Signal.create(lambda subscriber: (subscriber.next(1), None)[1]).map(str).take(1),
        lambda: Signal.from_iterable([1, 2]).map(str).take(1),
        lambda: Signal.from_iterable([1, 2]).scan(lambda a, b: f"{a}{b}", "").with_latest_from(Signal.just({})).serialized().map(str),
        lambda: State([]).signal.map(str).take(1),
    ],
)
def test_nothing_is_left_to_the_collector(signal):
    gc.collect()
    gc.disable()
    try:
        before, seen = sk.live_counts(), []
        run = signal().start(seen.append)
        run.dispose()
        del run
        assert seen and sk.live_counts() == before
    finally:
        gc.enable()


@pytest.mark.parametrize("handle_first", [True, False])
def test_a_finalizer_in_a_cycle_may_use_its_handles(handle_first):
    """The collector calls the finalizers of a cycle in the order in which it has got to know their objects."""

    class Owner:
        def __del__(self):
            self.run.dispose()

    class Cycle:
        pass

    signal, disposed = Signal.create(lambda subscriber: lambda: disposed.append(1)), []
    for _ in range(10):
        cycle = Cycle()
        if handle_first:
            cycle.run, cycle.owner = signal.start(), Owner()
        else:
            cycle.owner, cycle.run = Owner(), signal.start()
        cycle.owner.run, cycle.itself = cycle.run, cycle
    del cycle
    gc.collect()
    assert len(disposed) == 10


# ---- Values that change ----


@pytest.mark.skipif(not is_guarded, reason="without guard.c each callback has a new thread state")
def test_a_thread_keeps_its_state_of_python():
    for _ in range(10):  # the threads of each pool end
        pool, local, seen = sk.ThreadPool(1), threading.local(), queue.Queue()

        def work(local=local, seen=seen):
            local.count = getattr(local, "count", 0) + 1
            seen.put((local.count, threading.get_ident()))

        for _ in range(3):
            pool.add_task(work)
        counts, threads = zip(*(seen.get(timeout=PATIENCE) for _ in range(3)))
        assert counts == (1, 2, 3) and len(set(threads)) == 1
        pool.shutdown()


def test_a_change_of_another_thread_is_not_lost():
    """Also when the thread that is changing it changes it once more, before and behind."""
    state, calls = State(0), []

    def function(n):
        calls.append(n)
        if len(calls) == 1:
            state.set(10)
            on_threads(1, lambda _: state.update(lambda m: m + 5))
            state.set(state.value + 1)
        return n + 100

    assert state.update(function) == 116 and calls == [0, 16]


def test_who_comes_to_a_state_gets_the_present_one_and_each_that_follows(log):
    state = State(0)

    def receive(n):
        log.append(("first", n))
        if n == 1:
            state.set(2)
            assert state.value == 2
            runs.append(state.signal.start(lambda m: log.append(("second", m))))

    runs = [state.signal.start(receive)]
    state.set(1)
    assert log == [("first", 0), ("first", 1), ("second", 1), ("first", 2), ("second", 2)]
    for run in runs:
        run.dispose()


def test_the_signal_keeps_what_holds_the_value(log):
    doubled = State(3).signal.map(lambda n: 2 * n)
    gc.collect()
    assert doubled.get(1) == 6
    empty = State()
    run = log.start(empty.signal.take(2))
    empty.set(None)
    empty.set(1)
    assert log == [None, 1, "completed"] and empty.value == 1
    run.dispose()


def test_what_equals_is_no_change_whoever_set_it(log):
    state = State([1], ignore_repeated=True)
    run = log.start(state.signal)

    def function(value):
        state.set([2])
        return [2]

    assert state.update(function) == [2] and log == [[1], [2]]
    run.dispose()


# ---- Virtual time ----


def test_time_that_goes_when_it_is_told_to(log):
    queue = VirtualQueue()
    run = log.start(Signal.interval(60, queue=queue).take(3))
    assert queue.now == 0 and queue.pending == 1 and log == []
    queue.advance(60)
    assert log == [0] and queue.now == 60
    queue.advance_to(121)
    assert log == [0, 1]
    assert queue.run(100) == 1 and log == [0, 1, 2, "completed"] and queue.now == 180 and queue.pending == 0
    run.dispose()


def test_queues_of_one_clock(log):
    queue = VirtualQueue()
    beside = VirtualQueue(queue)
    later = beside.after(5, lambda: log.append((queue.is_current, beside.is_current, beside.now)))
    queue.advance(10)
    assert log == [(False, True, 5)] and beside.now == 10
    assert beside.sync(lambda: beside.is_current)
    del later
    woke = []
    run = Signal.just(1).suspend_aware_delay(100, 1, queue=queue).start(woke.append)
    queue.suspend(1000)
    assert queue.now == 10
    queue.advance(1)
    assert woke == [1]
    run.dispose()


def test_time_that_is_none():
    queue = VirtualQueue()
    for refused in lambda: queue.advance(-1), lambda: queue.advance_to(float("nan")), lambda: queue.run(0), lambda: queue.suspend(float("inf")):
        with pytest.raises(UsageError):
            refused()
    for refused in lambda: queue.advance("1"), lambda: VirtualQueue(Queue()), lambda: queue.suspend(None):
        with pytest.raises(TypeError):
            refused()
    errors = []

    def elsewhere(_):
        try:
            queue.advance(1)
        except UsageError as error:
            errors.append(error)

    work = queue.after(1, lambda: on_threads(1, elsewhere))
    queue.advance(1)
    assert len(errors) == 1
    assert isinstance(Queue().now, float)
    del work


# ---- A source that releases its subscriber ----


def test_what_joins_in_python_stops_a_source_that_has_released_its_subscriber():
    for other in (Signal.just(1), Signal.never(), Signal.create(lambda subscriber: None)):
        stopped = []
        resource = Signal.create(lambda subscriber: lambda: stopped.append("source"))
        run = (resource.after_disposed(lambda: stopped.append("stage"))).with_latest_from(other).start()
        assert stopped == []
        run.dispose()
        run.dispose()
        assert sorted(stopped) == ["source", "stage"]
    stopped = []
    beside = Signal.create(lambda subscriber: lambda: stopped.append("other"))
    Signal.never().with_latest_from(beside).start().dispose()
    assert stopped == ["other"]


# ---- The value that ends a subscription ----


def passed_on(value):
    return value


@pytest.mark.parametrize("ends", [
    lambda signal: signal.take(1), lambda signal: signal | op.take(1), lambda signal: signal.take_while(lambda value: False),
    lambda signal: sk.race(signal.take(1), signal.take(1)),
])
def test_the_value_that_ends_a_run_starts_nothing_more(log, ends):
    started = []
    network = Signal.deferred(lambda: (started.append("network"), Signal.just(2))[1])
    cached = Signal.just(1)
    for both in (
        sk.concat(cached, network), cached.concat_with(network), network.start_with(1), Signal.from_iterable([cached, network]) | op.concat_all(),
        cached.concat_map(lambda value: cached.concat_with(network)),
    ):
        log.start(ends(both.map(passed_on)))
        assert log[-1] == "completed" and started == []


def test_a_generator_is_told_of_the_end_by_the_value_that_ends_it():
    told = []

    def generate(subscriber):
        while subscriber.next(len(told)):
            told.append(subscriber.active)

    for first, signal in enumerate((
        Signal.create(generate).take(3), Signal.create(generate).map(passed_on).take(3), Signal.create(generate).map(passed_on).scan(max, 0).take(3),
    )):
        told.clear()
        signal.start()
        assert told == [True, True], first


def test_an_iterator_is_read_no_further_than_the_value_that_ends_the_run():
    numbers = iter(range(100))
    assert [Signal.from_iterable(numbers).get() for _ in "abc"] == [0, 1, 2]
    assert [Signal.from_iterable(numbers).map(passed_on).get() for _ in "abc"] == [3, 4, 5]
    assert list(Signal.from_iterable(numbers).take(2).iterate()) == [6, 7]
    assert list((Signal.from_iterable(numbers).map(passed_on) | op.take(1)).iterate()) == [8]
    assert next(numbers) == 9


def test_get_waits_for_no_second_item():
    items = queue.Queue()
    items.put("first")
    items.put("second")
    items.put(None)
    assert Signal.from_iterable(iter(items.get, None)).get(timeout=PATIENCE) == "first"
    assert items.qsize() == 2


# ---- Objects without references are released ----


def raising(*what):
    raise ZeroDivisionError("by this")


FAILING = {
    "a generator": lambda: Signal.create(raising),
    "an error that a generator caught": lambda: Signal.create(caught),
    "a stage": lambda: Signal.just(1).map(raising),
    "a stage behind an iterable": lambda: Signal.from_iterable([1]).map(raising),
    "a stage with state": lambda: Signal.just(1).scan(raising, 0),
    "a factory": lambda: Signal.deferred(raising),
    "a signal for a value": lambda: Signal.just(1).switch_map(raising),
    "a predicate": lambda: Signal.just(1).take_while(raising),
    "what joins": lambda: Signal.just(1).with_latest_from(Signal.just(2), raising),
    "what handles an error": lambda: Signal.fail(ValueError()).catch(raising),
}


def caught(subscriber):
    try:
        raising()
    except ZeroDivisionError as error:
        subscriber.error(error)


@pytest.mark.parametrize("fails", FAILING)
def test_a_shared_signal_that_failed_by_an_exception_goes(fails):
    before = alive()

    def fail():
        told = []
        shared = FAILING[fails]() | op.share()
        for _ in "ab":
            shared.start(on_error=told.append)
        assert [str(error) for error in told] == ["by this"] * 2
        shown = "".join(traceback.format_exception(type(told[0]), told[0], told[0].__traceback__))
        assert 'raise ZeroDivisionError("by this")' in shown  # the lines are still there

    fail()
    assert alive() - before == {}


def test_a_promise_and_a_run_that_both_are_dropped_go():
    before = alive()

    def follow():
        for make in (lambda: sk.Promise(1), lambda: State(1)):
            seen = []
            promise = make()
            for signal in (promise.signal, promise.signal.map(passed_on), promise.signal.filter(passed_on).map(passed_on)):
                signal.start(seen.append)
            assert seen == [1, 1, 1]

    follow()
    assert alive() - before == {}


def test_a_run_whose_source_is_gone_goes_when_it_is_dropped():
    before = alive()

    def begin():
        for after in (lambda signal: signal, lambda signal: signal | op.ignore_values(), lambda signal: signal.map(passed_on).share()):
            after(Signal.create(lambda subscriber: None).after_disposed(lambda: None)).start()

    begin()
    assert alive() - before == {}


def test_a_run_that_nobody_holds_ends_when_a_callback_or_an_operator_raises(log):
    for make in (
        lambda signal: signal.start(raising, on_error=log.append),
        lambda signal: signal.map(raising).start(None, on_error=log.append),
        lambda signal: signal.take_while(raising).start(None, on_error=log.append),
        lambda signal: signal.take_while(raising).map(passed_on).ignore_values().start(None, on_error=log.append),
        lambda signal: signal.scan(raising, 0).start(None, on_error=log.append),
    ):
        clock = VirtualQueue()
        make(Signal.interval(1, queue=clock))
        clock.advance(1)
        assert isinstance(log[-1], ZeroDivisionError)
        assert clock.pending == 0, "the source goes on"
    assert len(log) == 5


def test_next_of_a_pipe_is_a_method(log):
    class Doubled(Pipe):
        def next(self, value):
            super().next(2 * value)

    assert Pipe.next.__doc__ and Pipe.next.__qualname__ == "Pipe.next"
    plain, doubled = Pipe(), Doubled()
    runs = [log.start(pipe.signal) for pipe in (plain, doubled)]
    plain.next(1)
    Pipe.next(plain, 2)
    doubled.next(3)
    emit = doubled.next
    emit(4)
    with pytest.raises(TypeError, match="positional argument"):
        plain.next(1, 2)
    assert log == [1, 2, 6, 8] and runs


def test_a_chain_of_many_causes_is_read():
    from libsignalkit import _library as library, _values as values

    lib, error = library.lib, library.Value(0, 0, 0)
    for number in range(999):
        outer = lib.sgk_error_from(number + 1, b"deep", error.kind, error.bits)
        lib.sgk_value_release(error.kind, error.bits)
        error = outer
    read = values.decode_error(error.kind, error.bits)
    lib.sgk_value_release(error.kind, error.bits)
    codes = []
    while read is not None:
        codes.append(read.code)
        read = read.__cause__
    assert codes == list(range(999, 0, -1))
