import gc
import signal
import threading

import pytest

from conftest import PATIENCE
from libsignalkit import Disposable, DisposableBag, DisposableSlot, NoValueError, Pipe, Promise, Queue, Signal, Sequencer, SignalError
from libsignalkit import State, ThreadPool, UsageError, VirtualQueue
from libsignalkit.operators import compact_map, deliver_on, distinct_until_changed, filter, map, named, serialized, take, take_last


class Point:
    def __init__(self, x):
        self.x = x

    def __eq__(self, other):
        return isinstance(other, Point) and self.x == other.x


VALUES = [None, True, False, 0, -1, 2**63 - 1, -(2**63), 2**63, 10**30, 0.0, -0.0, 1.5, float("inf"), "text", "nul\0inside", "", b"bytes", (1, "a"), [], {}, Point(1)]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_every_object_crosses_the_border_as_it_is(value, log):
    log.start(Signal.just(value) | take(1))  # over the border and back, twice
    assert log == [value, "completed"] and type(log[0]) is type(value)
    pipe = Pipe(replay=True)
    pipe.next(value)
    assert pipe.signal.get(1) is value or type(value) in (int, float)


def test_a_signal_shows_its_pipeline_and_a_run_its_state():
    kept = []
    made = Signal.create(kept.append).take(2)
    assert made.map(str).describe() == "map\n  take 2\n    create"
    assert repr(made.map(str)) == "<Signal: create | take 2 | map>"
    assert repr(Signal.from_iterable([1])) == "<Signal: elements>"
    assert repr(made.named("two")) == '<Signal: create | take 2 | named "two">'
    assert repr(Pipe().signal.map(str).named("\udc80").take(1)) == '<Signal: create | named "?" | take 1>'
    ranges = Signal.range(0, 3).combine_latest(Signal.range(3, 3).skip(1), Signal.never())
    assert repr(ranges.take(1).map(str)) == "<Signal: (range 0, 3; range 3, 3 | skip 1; never) | combine_latest | take 1 | map>"
    assert ranges.take(1).describe() == "take 1\n  combine_latest\n    range 0, 3\n    skip 1\n      range 3, 3\n    never"
    deep = Signal.never()
    for count in range(70):
        deep = deep.take(count)
    assert repr(deep.map(str)) == "<Signal: … | take 6 | " + " | ".join(f"take {count}" for count in range(7, 70)) + " | map>"
    run = made.start(print)
    assert repr(run) == "<Run: running>"
    run.dispose()
    assert repr(run) == "<Run: disposed>"
    assert repr(Signal.just(1).start(lambda value: None)) == "<Run: ended>"
    of_python = Pipe().signal.start(print)
    of_python.dispose()
    assert repr(of_python) == "<Run: over>"
    assert repr(Disposable.action(print)) == "<Disposable: no run>"


def test_a_program_holds_a_subscription():
    log = []
    queue = VirtualQueue()
    run = Signal.range(0, 3).run_on(queue).start(log.append)
    with run.hold() as hold:
        other = run.hold()
        assert repr(hold) == "<Disposable: no run>"
        queue.run(100)
    queue.run(100)
    assert log == []
    del other  # its release takes it back, too
    queue.run(100)
    assert log == [0, 1, 2]
    run.hold().dispose()  # without effect
    for refused in (Disposable.action(print), Pipe().signal.start(print), DisposableBag()):
        with pytest.raises(UsageError, match="Disposable.hold: subscription must be a subscription"):
            refused.hold()


def test_sources_and_queues_show_what_they_hold():
    pipe, runs = Pipe(), []
    texts = [repr(pipe)]
    for _ in range(2):
        runs.append(pipe.signal.start())
        texts.append(repr(pipe))
    runs.pop().dispose()
    assert [*texts, repr(pipe)] == ["<Pipe: 0 subscribers>", "<Pipe: 1 subscriber>", "<Pipe: 2 subscribers>", "<Pipe: 1 subscriber>"]
    runs.pop().dispose()
    assert repr(State("on")) == "<State: 'on'>" and repr(State(None)) == "<State: None>"
    promise = Promise()
    assert repr(promise) == "<Promise: no value>" and repr(Promise(2)) == "<Promise: 2>"
    promise.set(Signal.from_iterable([1, 3]))
    assert repr(promise) == "<Promise: 3>"
    queue = VirtualQueue()
    queue.advance(1.5)
    assert [repr(one) for one in (Queue(), Queue("disk"), Queue.main(), queue)] == [
        "<Queue: python>", "<Queue: disk>", "<Queue: main>", "<VirtualQueue: 1.5 s>"]
    pool = ThreadPool(1)
    assert (repr(pool.as_queue()), repr(pool.next_queue())) == ("<Queue: thread pool>", "<Queue: thread pool, serial>")
    pool.shutdown()


def test_generator_disposal_and_end(log):
    stopped = []

    def generate(subscriber):
        assert subscriber.active
        assert subscriber.next(1)
        kept.append(subscriber)
        return lambda: stopped.append(1)

    kept = []
    signal = Signal.create(generate)
    run = log.start(signal)
    run.dispose()
    run.dispose()
    assert stopped == [1] and not kept[0].active and not kept[0].next(2)
    log.start(signal)
    assert kept[1].next(3) and kept[1].complete() and not kept[1].complete()
    assert stopped == [1, 1] and log == [1, 1, 3, "completed"]


def test_generator_may_return_a_disposable_or_nothing_and_nothing_else(log):
    stopped = []
    log.start(Signal.create(lambda s: Disposable.action(lambda: stopped.append(1)))).dispose()
    log.start(Signal.create(lambda s: None)).dispose()
    log.start(Signal.create(lambda s: 5))
    assert stopped == [1] and isinstance(log[0], TypeError)


def test_pipe_delivers_in_order_also_what_comes_from_inside(log):
    pipe = Pipe()

    def first(value):
        log.append(("first", value))
        if value == 1:
            pipe.next(2)
            log.append("returned")

    with pipe.signal.start(first), pipe.signal.start(lambda value: log.append(("second", value))):
        pipe.next(1)
    pipe.next(3)
    assert log == [("first", 1), "returned", ("second", 1), ("first", 2), ("second", 2)]


def test_pipe_completes_behind_its_values(log):
    pipe = Pipe()
    run = pipe.signal.start(lambda value: (log.append(value), value == 1 and (pipe.next(2), pipe.complete(), pipe.next(3))))
    log.start(pipe.signal)
    pipe.next(1)
    log.start(pipe.signal)
    assert log == [1, 1, 2, 2, "completed", "completed"]
    run.dispose()


def test_pipe_listeners_leave_and_come_during_a_delivery(log):
    pipe = Pipe()
    runs = []

    def leave(value):
        log.append(("first", value))
        runs[1].dispose()
        runs.append(pipe.signal.start(lambda v: log.append(("third", v))))

    runs.append(pipe.signal.start(leave))
    runs.append(pipe.signal.start(lambda v: log.append(("second", v))))
    pipe.next(1)
    runs[0].dispose()
    pipe.next(2)
    for run in runs:
        run.dispose()
    assert log == [("first", 1), ("third", 2)]


def test_a_pipe_that_replays_gives_the_latest_value_first(log):
    pipe = Pipe(replay=True)
    log.start(pipe.signal).dispose()
    pipe.next(1)
    pipe.next(2)
    with log.start(pipe.signal):
        pipe.next(3)
    pipe.next(4)
    pipe.complete()
    log.start(pipe.signal)
    assert log == [2, 3, 4, "completed"]


def test_who_comes_to_a_pipe_that_replays_from_inside_of_it_gets_what_is_being_delivered_once(log):
    pipe, runs = Pipe(replay=True), []

    def come(value):
        log.append(("first", value))
        if value == 1:
            pipe.next(2)
            assert pipe.signal.get(1) == 1
            runs.append(pipe.signal.start(lambda v: log.append(("second", v))))
            log.append("returned")

    with pipe.signal.start(come):
        pipe.next(1)
    runs[0].dispose()
    assert log == [("first", 1), ("second", 1), "returned", ("first", 2), ("second", 2)]


def test_who_comes_to_a_pipe_that_replays_while_another_thread_delivers_comes_behind_it(log, wait_until):
    pipe, stopped = Pipe(replay=True), []
    delivering, go_on = threading.Event(), threading.Event()

    def hold_up(value):
        delivering.set()
        go_on.wait(PATIENCE)

    with pipe.signal.start(hold_up):
        thread = threading.Thread(target=pipe.next, args=(1,))
        thread.start()
        delivering.wait(PATIENCE)
        run = log.start(pipe.signal)
        pipe.signal.start(stopped.append).dispose()
        pipe.next(2)
        assert log == []
        go_on.set()
        thread.join()
    wait_until(lambda: log == [1, 2])
    run.dispose()
    pipe.next(3)
    assert log == [1, 2] and stopped == []


@pytest.mark.parametrize("stages", [[], [map(lambda v: v)], [take(1000)], [map(lambda v: v), take(1000)]], ids=["plain", "map", "take", "both"])
def test_a_pipe_that_goes_lets_its_runs_go_without_an_event(stages, log):
    pipe = Pipe()
    signal = pipe.signal
    for stage in stages:
        signal = signal | stage
    run = log.start(signal)
    pipe.next(1)
    del pipe
    later = log.start(signal)
    assert log == [1]
    del run, later


def test_pipe_of_threads_is_serial():
    pipe, seen, inside = Pipe(), [], []

    def receive(value):
        inside.append(1)
        assert len(inside) == 1
        seen.append(value)
        inside.pop()

    run = pipe.signal.start(receive)
    other = (pipe.signal | take(10**9)).start(seen.append)
    threads = [threading.Thread(target=lambda t=t: [pipe.next((t, n)) for n in range(2000)]) for t in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    run.dispose()
    other.dispose()
    assert len(seen) == 16000
    for t in range(4):
        assert [n for thread, n in seen[::2] if thread == t] == list(range(2000))


@pytest.mark.parametrize("runs", [0, 1, 2])
def test_a_pipe_goes_on_after_an_interrupt_wherever_that_comes(runs, log):
    def interrupt(*_):
        interrupts.append(1)
        raise KeyboardInterrupt

    pipe, interrupts = Pipe(), []
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        for wait in range(200):
            listening = [pipe.signal.start(lambda value: None, on_error=lambda error: None) for _ in range(runs)]
            interrupts.clear()
            try:
                signal.setitimer(signal.ITIMER_REAL, 50e-6 + wait * 1e-7)
                while not interrupts:
                    pipe.next(-1)
            except KeyboardInterrupt:
                pass
            for run in listening:
                run.dispose()
            with log.start(pipe.signal):
                pipe.next(wait)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert log == list(range(200))


def test_promises(log):
    promise = State(1, ignore_repeated=True)
    run = log.start(promise.signal)
    promise.set(1)
    promise.set("two")
    run.dispose()
    assert log == [1, "two"]
    follower = Promise()
    run = log.start(follower.signal)
    follower.set(promise.signal)
    follower.set(Signal.just(3))
    promise.set(4)
    run.dispose()
    assert log == [1, "two", "two", 3] and follower.signal.get(1) == 3 and Promise("first").signal.get(1) == "first"


def test_a_state_goes_over_to_what_a_function_makes_of_it(log):
    count = State(1)
    run = log.start(count.signal)
    assert count.update(lambda n: n + 1) == 2
    count.set("text")
    assert count.value == "text"
    with pytest.raises(ZeroDivisionError):
        count.update(lambda text: 1 / 0)
    assert count.update(lambda text: (text, Point(3))) == ("text", Point(3))

    def nested(value):
        count.set("between")
        return "after"

    assert count.update(nested) == "after"
    run.dispose()
    assert log == [1, 2, "text", ("text", Point(3)), "between", "after"]
    distinct = State([1], ignore_repeated=True)
    run = log.start(distinct.signal)
    assert distinct.update(lambda value: [1]) == [1] and log[6:] == [[1]]
    run.dispose()
    empty = State()
    assert empty.value is None and empty.update(lambda value: value is None) is True


def test_several_threads_change_a_state(log):
    count = State(0)
    run = log.start(count.signal)

    def count_up():
        for _ in range(500):
            count.update(lambda n: n + 1)

    threads = [threading.Thread(target=count_up) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    run.dispose()
    assert count.value == 1500 and log == list(range(1501))


def test_a_sequencer_runs_one_after_another(log):
    queue, first = Sequencer(), Pipe()
    runs = [log.start(queue.enqueue(first.signal)), log.start(queue.enqueue(Signal.just("second")))]
    first.next("first")
    first.complete()
    assert log == ["first", "completed", "second", "completed"]
    del runs


def test_disposables():
    log = []
    container = DisposableBag(*(Disposable.action(lambda n=n: log.append(n)) for n in range(3)))
    extra = Disposable.action(lambda: log.append("extra"))
    container.add(extra)
    container.remove(extra)
    with DisposableSlot() as slot:
        slot.set(Disposable.action(lambda: log.append("replaced")))
        slot.set(container)
        assert log == ["replaced"]
    assert log == ["replaced", 0, 1, 2]


# ---- Errors ----


def boom(*arguments):
    raise ValueError("boom")


@pytest.mark.parametrize(
    "break_it",
    [lambda s: s | map(boom), lambda s: s | filter(boom), lambda s: s | map(lambda v: v) | compact_map(boom) | take(3), lambda s: s | serialized() | map(boom)],
    ids=["map", "filter", "middle", "behind"],
)
def test_an_exception_in_a_stage_ends_the_run_with_itself(break_it, log):
    stopped = []

    def generate(subscriber):
        subscribers.append(subscriber)
        return lambda: stopped.append(1)

    subscribers = []
    log.start(break_it(Signal.create(generate)))
    subscribers[0].next(1)
    assert isinstance(log[0], ValueError) and log[0].args == ("boom",) and len(log) == 1
    assert stopped == [1] and not subscribers[0].next(2)
    log.clear()
    pipe = Pipe()
    log.start(break_it(pipe.signal))
    pipe.next(1)
    pipe.next(2)
    assert [type(event) for event in log] == [ValueError]
    with pytest.raises(ValueError, match="boom"):
        break_it(Signal.just(1)).get(1)


def test_an_exception_in_on_next_stops_a_source_that_emits_in_a_loop(log):
    count = []

    def generate(subscriber):
        while subscriber.next(1):
            count.append(1)

    Signal.create(generate).start(boom, on_error=log.append)
    assert isinstance(log[0], ValueError) and len(count) <= 1


def test_errors_without_a_handler_and_in_handlers_are_logged(log, caplog):
    Signal.fail(ValueError("nobody")).start()
    Signal.fail(ValueError("first")).start(on_error=boom)
    Signal.empty().start(on_completed=boom)
    Signal.just(1).start(boom)
    assert len(caplog.records) == 4
    caplog.clear()


def test_an_error_that_nobody_handles_is_logged_with_the_name_of_its_signal(caplog, wait_until):
    failing = Signal.fail(ValueError("nobody"))
    pipe = Pipe()
    named_runs = [
        failing | named("station"),
        failing | named("pump") | named("station"),
        failing | named("station") | map(str) | take_last(),
        failing | named("station") | distinct_until_changed(),
        failing | named("station") | deliver_on(Queue("other")),  # on another thread
        pipe.signal | named("station") | map(boom),
    ]
    for one in named_runs:
        caplog.clear()
        run = one.start()
        pipe.next(1)
        wait_until(lambda: caplog.records)
        assert "'station'" in caplog.text, one
        run.dispose()
    caplog.clear()
    failing.start()  # the source has no name
    assert "station" not in caplog.text and len(caplog.records) == 1
    with pytest.raises(TypeError):
        named(7)


def test_only_the_listener_that_raises_ends(log):
    pipe = Pipe()
    runs = [pipe.signal.start(boom, on_error=log.append), log.start(pipe.signal)]
    pipe.next(1)
    pipe.next(2)
    assert [type(event) for event in log] == [ValueError, int, int]
    runs[1].dispose()


def test_a_system_exit_does_not_cross_the_border_either(log):
    log.start(Signal.just(1) | take(1) | map(lambda v: exit(3)))
    assert isinstance(log[0], SystemExit)


def test_get():
    quiet = Pipe()
    assert Signal.from_iterable("abc").get() == "a"
    with pytest.raises(NoValueError):
        Signal.empty().get(1)
    with pytest.raises(TimeoutError):
        quiet.signal.get(0.01)


def test_disposal_inside_a_stage_means_nothing_comes_out(log):
    pipe = Pipe()
    runs = []
    runs.append((pipe.signal | map(lambda v: runs[0].dispose())).start(log.append))
    pipe.next(1)
    assert log == []


def test_misuse():
    with pytest.raises(UsageError, match="take: count must be 0 or more"):
        Signal.never() | take(-1)
    with pytest.raises(TypeError):
        Signal.never() | 5


def test_an_error_that_is_no_exception_is_wrapped(log):
    """Such errors are from other languages or from the library."""
    from libsignalkit.operators import switch_to_latest

    log.start(Signal.just(7) | switch_to_latest())
    assert isinstance(log[0], SignalError) and log[0].args == (7,)


def test_an_error_of_the_library_has_a_code_and_a_cause():
    from libsignalkit import _library as library, _values as values

    lib, queue, seen = library.lib, VirtualQueue(), []
    Signal.never().timeout(1, queue=queue).start(on_error=seen.append)
    queue.advance(1)
    assert isinstance(seen[0], SignalError) and isinstance(seen[0], TimeoutError)
    assert (seen[0].code, str(seen[0])) == (-8, "timeout: timed out")
    assert seen[0].__cause__ is None and SignalError(7).code == -12
    inner = lib.sgk_error_from(7, "größer".encode(), 0, 0)
    outer = lib.sgk_error_from(404, b"outer", inner.kind, inner.bits)
    error = values.decode_error(outer.kind, outer.bits)
    assert (error.code, error.args, error.__cause__.code, str(error.__cause__)) == (404, ("outer",), 7, "größer")
    for value in inner, outer:
        lib.sgk_value_release(value.kind, value.bits)


def test_an_object_of_another_type_is_refused_by_its_name():
    import ctypes

    from libsignalkit import _library as library, _values as values

    other = library.for_good(library.ObjectType(ctypes.sizeof(library.ObjectType), b"Other"))
    value = library.lib.sgk_object(5, ctypes.addressof(other))
    with pytest.raises(SignalError, match="^value must be an object of the type Python, not Other$") as raised:
        values.decode(value.kind, value.bits)
    assert raised.value.code == -5
    library.lib.sgk_value_release(value.kind, value.bits)


# ---- Runs of Python's alone, as disposables ----


def test_a_run_of_a_pipe_is_disposed_by_what_holds_it(log):
    pipe, slot = Pipe(), DisposableSlot()
    slot.set(log.start(pipe.signal))
    pipe.next(1)
    slot.set(log.start(pipe.signal | map(lambda n: -n)))
    pipe.next(2)
    slot.dispose()
    pipe.next(3)
    assert log == [1, -2]
    log.clear()
    first, second = log.start(pipe.signal), pipe.signal.start(lambda n: log.append(("second", n)))
    held = DisposableBag(first, second)
    held.remove(second)
    held.dispose()
    pipe.next(4)
    second.dispose()
    assert log == [("second", 4)]


def test_a_generator_may_return_a_run_of_a_pipe(log):
    pipe = Pipe()
    signal = Signal.create(lambda subscriber: pipe.signal.start(subscriber.next, on_error=subscriber.error, on_completed=subscriber.complete))
    run = log.start(signal)
    pipe.next(1)
    run.dispose()
    pipe.next(2)
    log.start(signal)
    pipe.next(3)
    pipe.complete()
    log.start(signal)  # which is over before the generator has returned it
    assert log == [1, 3, "completed", "completed"]


def test_what_is_no_disposable_is_named():
    with pytest.raises(TypeError, match="DisposableSlot.set needs a Disposable, not 5"):
        DisposableSlot().set(5)
    with pytest.raises(TypeError, match="DisposableBag.add needs a Disposable, not 'x'"):
        DisposableBag("x")


def test_what_emits_into_a_pipe_keeps_it(log):
    def emitting():
        pipe = Pipe()
        log.start(pipe.signal)
        return pipe.next

    emit = emitting()
    gc.collect()
    emit(1)
    assert log == [1]
    del emit


def test_a_function_may_return_what_it_receives(log):
    pipe = Pipe()
    last = pipe.signal.map(lambda value: value).scan(lambda _, value: value, None)
    pairs = last.combine_latest(Signal.just("fixed"))
    first = pairs.combine_latest(Signal.just(0)).map(lambda both: both[0]).map(lambda pair: pair[0])
    log.start(first)
    for value in VALUES:
        pipe.next(value)
    assert all(event is value or type(value) in (int, float) for event, value in zip(log, VALUES))
    assert log == VALUES
    pipe.complete()
