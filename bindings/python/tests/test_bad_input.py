"""Tests of exceptions in callbacks and of arguments with a wrong type."""

import asyncio
import copy
import inspect
import logging
import math
import pickle
import re
import sys
from datetime import timedelta

import pytest

import libsignalkit as sk
from libsignalkit import operators as op
from libsignalkit import Disposable, Queue, Signal, Timer


class Bad(Exception):
    pass


def raising(error):
    def function(*arguments):
        raise error

    return function


def numbers():
    return Signal.range(0, 3)


def failing():
    return Signal.fail(KeyError("source"))


# Operators that call a given function.
CALLS = {
    "map": lambda f: numbers().map(f),
    "filter": lambda f: numbers().filter(f),
    "compact_map": lambda f: numbers().compact_map(f),
    "before_next": lambda f: numbers().before_next(f),
    "after_next": lambda f: numbers().after_next(f),
    "map_error": lambda f: failing().map_error(f),
    "distinct_until_changed": lambda f: numbers().distinct_until_changed(f),
    "reduce": lambda f: numbers().reduce(f, 0),
    "scan": lambda f: numbers().scan(f, 0),
    "distinct": lambda f: numbers().distinct(limit=10, key=f),
    "take_while": lambda f: numbers().take_while(f),
    "skip_while": lambda f: numbers().skip_while(f),
    "before_started": lambda f: numbers().before_started(f),
    "before_error": lambda f: failing().before_error(f),
    "before_completed": lambda f: numbers().before_completed(f),
    "switch_map": lambda f: numbers().switch_map(f),
    "concat_map": lambda f: numbers().concat_map(f),
    "concat_map_latest": lambda f: numbers().concat_map_latest(f),
    "merge_map": lambda f: numbers().merge_map(f),
    "map_ordered": lambda f: numbers().map_ordered(f),
    "exhaust_map": lambda f: numbers().exhaust_map(f),
    "switch_map_per": lambda f: numbers().switch_map_per(lambda n: n, f),
    "switch_map_per by": lambda f: numbers().switch_map_per(f, Signal.just),
    "group_by": lambda f: numbers().group_by(lambda n: n, f),
    "group_by by": lambda f: numbers().group_by(f, lambda key, values: values),
    "catch": lambda f: failing().catch(f),
    "retry": lambda f: failing().retry(decide=lambda error, failures: f(error)),
    "with_latest_from": lambda f: numbers().with_latest_from(Signal.just(1), f),
    "create": lambda f: Signal.create(f),
    "deferred": lambda f: Signal.deferred(f),
    "using": lambda f: sk.using(f, lambda resource: numbers()),
}


@pytest.mark.parametrize("behind", [lambda s: s, lambda s: s.take(10), lambda s: s.map(lambda v: v).serialized().map(lambda v: v)],
                         ids=["itself", "take", "more"])
@pytest.mark.parametrize("name", CALLS)
def test_what_a_function_raises_arrives_as_the_same_object(name, behind):
    error, errors = Bad(name), []
    run = behind(CALLS[name](raising(error))).start(lambda value: None, on_error=errors.append, on_completed=lambda: errors.append("completed"))
    assert len(errors) == 1 and errors[0] is error
    run.dispose()
    error.__traceback__ = None


@pytest.mark.parametrize("name", CALLS)
def test_where_nobody_is_told_it_goes_to_the_log(name, caplog):
    error = Bad(name)
    CALLS[name](raising(error)).start()
    assert [record.exc_info[1] for record in caplog.records] == [error]
    assert caplog.records[0].name == "libsignalkit" and caplog.records[0].levelno == logging.ERROR
    caplog.clear()
    error.__traceback__ = None


@pytest.mark.parametrize("made", [lambda f: failing().catch(f), lambda f: failing().map_error(f)], ids=["catch", "map_error"])
def test_an_exception_of_an_error_handler_has_the_error_as_its_context(made):
    def raises(error):
        raise Bad("second") from None

    def raises_in_a_handler(error):
        try:
            raise Bad("second")
        except Bad:
            raise Bad("third")

    def passes_on(error):
        raise error

    errors = []
    for handler in raises, raises_in_a_handler, passes_on:
        made(handler).start(on_error=errors.append)
    chains = []
    for error in errors:
        chains.append([])
        while error:
            chains[-1].append(str(error))
            error.__traceback__, error.__context__, error = None, None, error.__context__
    assert chains == [["second", "'source'"], ["third", "second", "'source'"], ["'source'"]]


ENDS_LOOPS = [StopIteration, StopAsyncIteration]


async def read(signal):
    return [value async for value in signal]


@pytest.mark.parametrize("kind", ENDS_LOOPS)
@pytest.mark.parametrize("name", CALLS)
def test_what_would_end_a_loop_is_wrapped_in_an_error(name, kind):
    """Like a generator, since PEP 479."""
    error, errors = kind(name), []
    signal = CALLS[name](raising(error))
    run = signal.start(lambda value: None, on_error=errors.append, on_completed=lambda: errors.append("completed"))
    for reading in lambda: list(signal.iterate()), lambda: signal.ignore_values().get(), lambda: asyncio.run(read(signal)):
        with pytest.raises(RuntimeError, match=f"a signal failed with {kind.__name__}") as raised:
            reading()
        errors.append(raised.value)
        del raised
    assert len(errors) == 4
    for wrapped in errors:
        assert type(wrapped) is RuntimeError and wrapped.__cause__ is error
        wrapped.__traceback__ = wrapped.__cause__ = wrapped.__context__ = None
    run.dispose()
    error.__traceback__ = None


def test_only_the_iterator_itself_ends_a_source():
    class Broken:
        def __iter__(self):
            raise StopIteration

    def generator():
        yield 1
        raise StopIteration

    def stop(n):
        if n == 2:
            raise StopIteration
        return n

    assert list(Signal.from_iterable(iter([1, 2, 3])).iterate()) == [1, 2, 3]
    for source in (
        lambda: Signal.from_iterable([1, 2, 3]).map(stop), lambda: Signal.from_iterable(iter([1, 2, 3])).before_next(stop),
        lambda: Signal.from_iterable(generator()), lambda: Signal.from_iterable(Broken()), lambda: Signal.fail(StopIteration()),
    ):
        ends = []
        source().start(None, on_error=ends.append, on_completed=lambda: ends.append("completed"))
        assert [type(end) for end in ends] == [RuntimeError]
        with pytest.raises(RuntimeError):
            list(source().iterate())
        ends[0].__traceback__ = ends[0].__cause__ = None


WRONG = {
    "map needs a function, not 5": lambda: numbers().map(5),
    "filter needs a function, not 'x'": lambda: numbers() | op.filter("x"),
    "scan needs a function first, not 0": lambda: numbers().scan(0, max),
    "reduce needs a function first, not ''": lambda: numbers().reduce("", max),
    "map_async needs a function, not 5": lambda: numbers().map_async(5),
    "take_while needs a function, not None": lambda: numbers().take_while(None),
    "catch needs a function, not 5": lambda: numbers().catch(5),
    "switch_map needs a function, not 5": lambda: numbers().switch_map(5),
    "merge_map needs a function, not 5": lambda: numbers().merge_map(5, limit=1, waiting=1),
    "map_ordered needs a function, not 5": lambda: numbers().map_ordered(5, limit=1, waiting=1),
    "group_by needs a function, not 5": lambda: numbers().group_by(str, 5),
    "start needs a function, not 5": lambda: numbers().start(5),
    "start needs a function, not 'x'": lambda: numbers().start(print, on_error="x"),
    "takes from 1 to 2 positional arguments but 3 were given": lambda: numbers().start(print, print),
    "Signal.create needs a function, not 5": lambda: Signal.create(5),
    "Signal.deferred needs a function, not 5": lambda: Signal.deferred(5),
    "concat_with needs a Signal, not 5": lambda: numbers().concat_with(5),
    "switch_if_empty needs a Signal, not 5": lambda: numbers().switch_if_empty(5),
    "take_until needs a Signal, not 5": lambda: numbers().take_until(5),
    "take_until_replacement needs a Signal, not 5": lambda: numbers().take_until_replacement(5),
    "chunked_by needs a Signal, not 5": lambda: numbers().chunked_by(5, limit=1),
    "catch_with needs a Signal, not 5": lambda: numbers().catch_with(5),
    "timeout needs a Queue, not 5": lambda: numbers().timeout(1, queue=5),
    "merge needs a Signal, not 1": lambda: sk.merge(1),
    "combine_latest needs a Signal, not 'x'": lambda: numbers().combine_latest("x"),
    "combine_latest needs a Queue, not 'x'": lambda: numbers().combine_latest(numbers(), queue="x"),
    "zip needs a Signal, not 5": lambda: sk.zip(numbers(), 5, limit=1),
    "throttle needs a Queue, not 5": lambda: numbers().throttle(1, queue=5),
    "share needs a Queue, not 5": lambda: numbers().share(0, keep=1, queue=5),
    "interval needs a Queue, not 5": lambda: Signal.interval(1, queue=5),
    "deliver_on needs a Queue or an asyncio loop, not 5": lambda: numbers().deliver_on(5),
    "named needs a str, not 5": lambda: numbers().named(5),
    "take needs a whole number, not 'x'": lambda: numbers().take("x"),
    "take needs a whole number, not 1.5": lambda: numbers().take(1.5),
    "debounce needs a number, not 'x'": lambda: numbers().debounce("x", queue=Queue.main()),
    "throttle needs a number, not 'x'": lambda: numbers().throttle("x", queue=Queue.main()),
    "chunked needs a number, not 'x'": lambda: numbers().chunked(2, "x", queue=Queue.main()),
    "run_on needs a Queue or an asyncio loop, not None": lambda: numbers().run_on(None),
    "run_on needs a Queue, not 5": lambda: numbers().run_on(5),
    "rate_limit needs a whole number, not '3'": lambda: numbers().rate_limit(1, 1, queue=Queue.main(), waiting="3"),
    "delay needs a whole number, not '3'": lambda: numbers().delay(1, queue=Queue.main(), limit="3"),
    "merge_all needs a whole number, not 'x'": lambda: numbers().merge_all(limit="x", waiting=1),
    "merge_map needs a whole number, not 1.5": lambda: numbers().merge_map(Signal.just, limit=1, waiting=1.5),
    "group_by needs a whole number, not 'x'": lambda: numbers().group_by(str, lambda key, values: values, limit="x"),
    "to_array needs a whole number, not 'x'": lambda: numbers().to_array(limit="x"),
    "distinct needs a whole number, not 'x'": lambda: numbers().distinct(limit="x"),
    "distinct needs a function, not 5": lambda: numbers().distinct(limit=3, key=5),
    "zip needs a whole number, not 'x'": lambda: sk.zip(numbers(), numbers(), limit="x"),
    "retry needs a whole number, not 'x'": lambda: failing().retry("x"),
    "retry needs a function, not 1": lambda: failing().retry(decide=1),
    "interval needs a number, not '1'": lambda: Signal.interval("1", queue=Queue.main()),
    "timer needs a number, not None": lambda: Signal.timer(None, queue=Queue.main()),
    "range needs a whole number, not 1.5": lambda: Signal.range(1.5, 2),
    "from_iterable needs an iterable, not 5": lambda: Signal.from_iterable(5),
    "from_async_iterable needs an asynchronous iterable, or a function that returns one, not 5": lambda: Signal.from_async_iterable(5),
    "using needs a function, not 5": lambda: sk.using(open, 5),
    "iterate needs a whole number, not 'x'": lambda: numbers().iterate("x"),
    "get needs a number, not 'x'": lambda: numbers().get("x"),
    "values needs a whole number, not 'x'": lambda: numbers().values("x"),
    "Signals are made by methods, not by Signal(5)": lambda: Signal(5),
    "Signals are made by methods, not by Signal(None)": lambda: Signal(None),
    "Signals are made by methods, not by Signal(<": lambda: Signal(Queue.main()),
    "Disposables are made by methods, not by Disposable('x')": lambda: Disposable("x"),
    "Disposables are made by methods, not by Disposable(5)": lambda: Disposable(5),
    "Disposables are made by methods, not by Disposable()": lambda: Disposable(),
    "Subscribers are made by methods, not by Subscriber(5)": lambda: sk.Subscriber(5),
    "Subscribers are made by methods, not by Subscriber('x')": lambda: sk.Subscriber("x"),
    "Values needs a Signal, not 5": lambda: sk.Values(5),
    "Reader needs a Signal, not 5": lambda: sk.Reader(5, 1, "wait", None),
    "Pipe.next() takes 1 positional argument but 2 were given": lambda: sk.Pipe().next(1, 2),
    "Queue needs a str, not 5": lambda: Queue(5),
    "VirtualQueue.run needs a whole number, not 'x'": lambda: sk.VirtualQueue().run("x"),
    "ThreadPool needs a number, not 'x'": lambda: sk.ThreadPool(1, "x"),
    "Promise.set needs a Signal, not 5": lambda: sk.Promise().set(5),
    "Sequencer.enqueue needs a Signal, not 5": lambda: sk.Sequencer().enqueue(5),
    "lines needs a descriptor, or what has a fileno(), not 'x'": lambda: sk.descriptors.lines("x", queue=Queue.main()),
    "chunks needs a whole number, not 'x'": lambda: sk.descriptors.chunks(0, queue=Queue.main(), size="x"),
    "sink needs a whole number, not 'x'": lambda: sk.descriptors.sink(0, queue=Queue.main(), limit="x"),
    "unix_signal needs a whole number, not 'SIGINT'": lambda: sk.descriptors.unix_signal("SIGINT", queue=Queue.main()),
    "loop_queue needs an asyncio loop, not 5": lambda: sk.aio.loop_queue(5),
    "Timer needs a Queue, not 5": lambda: Timer(1, print, queue=5),
    "Timer needs a number, not 'x'": lambda: Timer("x", print, queue=Queue.main()),
    "Queue.after needs a number, not 'x'": lambda: Queue.main().after("x", print),
    "retry needs a number, not 'x'": lambda: failing().retry(delay="x"),
    "work needs a function, not 5": lambda: Queue.main().dispatch(5),
    "work needs a function, not 'x'": lambda: Disposable.action("x"),
}


@pytest.mark.parametrize("message", WRONG)
def test_a_wrong_type_is_named_with_what_it_was_given_to(message, caplog):
    with pytest.raises(TypeError) as raised:
        WRONG[message]()
    assert message in str(raised.value)
    assert not caplog.records


NOTED = {
    "map": lambda f: numbers().map(f),
    "map, stage 3 of map | filter | map | map": lambda f: numbers().map(str).filter(len).map(f).map(str),
    "filter, stage 2 of before_next | filter": lambda f: numbers().before_next(str).filter(f).take(3).map(str),
    "before_next, stage 2 of filter | before_next": lambda f: numbers().serialized().filter(lambda n: True).before_next(f),
    "after_next, stage 1 of after_next | map": lambda f: numbers().after_next(f).map(str),
    "scan, stage 2 of map | scan": lambda f: Signal.from_iterable([1, 2]).map(str).scan(f, 0),
    "distinct_until_changed": lambda f: numbers().distinct_until_changed(f),
    "reduce": lambda f: numbers().reduce(f, 0),
    "compact_map, stage 1 of compact_map | map": lambda f: nested(numbers(), 40).compact_map(f).map(str),
    "take_while": lambda f: numbers().take_while(f),
    "switch_map": lambda f: numbers().switch_map(f).map(str),
    "merge_map": lambda f: numbers().merge_map(f),
    "group_by": lambda f: numbers().group_by(str, f),
    "catch": lambda f: failing().catch(f),
    "map_error": lambda f: failing().map_error(f),
    "retry": lambda f: failing().retry(decide=f),
    "before_error": lambda f: failing().before_error(f),
}


def nested(signal, count):
    for _ in range(count):
        signal = signal.map(lambda value: value)
    return signal


@pytest.mark.skipif(sys.version_info < (3, 11), reason="exceptions have no notes")
@pytest.mark.parametrize("stage", NOTED)
def test_a_note_says_in_which_stage_an_exception_was_raised(stage):
    error, errors = Bad(), []
    for _ in range(2):  # the second time it has one
        NOTED[stage](raising(error)).start(on_error=errors.append)
    assert errors == [error, error] and error.__notes__ == [f"libsignalkit: in {stage}"]
    error.__traceback__ = error.__context__ = None


def test_there_is_no_note_of_what_no_stage_raised():
    error, errors = Bad(), []
    numbers().map(str).start(raising(error), on_error=errors.append)
    Signal.create(raising(error)).map(str).start(on_error=errors.append)
    assert errors == [error, error] and not getattr(error, "__notes__", ())
    error.__traceback__ = None


REFUSED = {
    "take: count must be 0 or more": lambda: numbers().take(-1),
    "interval: seconds must be finite and more than 0": lambda: Signal.interval(-1),
    "debounce: seconds must be": lambda: numbers().debounce(float("nan")),
    "chunked: count must be 1 or more": lambda: numbers().chunked(0, 1),
    "windowed: every must be 1 or more": lambda: numbers().windowed(2, 0),
    "VirtualQueue.advance: seconds must be finite and 0 or more": lambda: sk.VirtualQueue().advance(-1),
    "ThreadPool: thread_count must be from 1 to 1024": lambda: sk.ThreadPool(0),
    "Queue.concurrent: threads must be from 1 to 1024": lambda: Queue.concurrent("none", 0),
    "lines: limit must be": lambda: sk.descriptors.lines(0, limit=-1),
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_the_library_refuses_is_named_as_the_caller_knows_it(message):
    with pytest.raises(ValueError) as raised:
        REFUSED[message]()
    assert str(raised.value).startswith(message) and type(raised.value) is sk.UsageError


LARGE = {
    "take": lambda: numbers().take(2**64 + 2),
    "range": lambda: Signal.range(-(2**70), 3),
    "repeat": lambda: numbers().repeat(10**5000),
    "share": lambda: numbers().share(2**64 + 1),
    "zip": lambda: sk.zip(numbers(), limit=2**64 + 1),
    "merge_all": lambda: numbers().merge_all(limit=2**64 + 1, waiting=None),
    "merge_all_ordered": lambda: numbers().merge_all_ordered(limit=2**64 + 1, waiting=None),
    "group_by": lambda: numbers().group_by(str, lambda key, values: values, limit=2**64 + 1),
    "to_array": lambda: numbers().to_array(limit=2**64 + 1),
    "delay": lambda: numbers().delay(1, queue=Queue.main(), limit=2**64 + 1),
    "chunked_by": lambda: numbers().chunked_by(numbers(), limit=2**64 + 1),
    "retry": lambda: failing().retry(2**64 + 1),
    "retry was": lambda: failing().retry(2, seed=2**64),
    "retry was given": lambda: failing().retry(2, delay=10**400),
    "interval": lambda: Signal.interval(10**400, queue=Queue.main()),
    "iterate": lambda: numbers().iterate(2**64 + 1, "error"),
    "get": lambda: numbers().get(10**400),
    "VirtualQueue.run": lambda: sk.VirtualQueue().run(2**64 + 1),
    "ThreadPool": lambda: sk.ThreadPool(2**32 + 1),
    "sink": lambda: numbers() | sk.descriptors.sink(2**64 + 1, queue=Queue.main()),
    "child": lambda: sk.descriptors.child(2**64 + 1, queue=Queue.main()),
}


def pipe_run():
    pipe = sk.Pipe()
    return pipe.signal.start()


UNIQUE = {
    "Pipe": sk.Pipe, "State": lambda: sk.State(1), "Promise": sk.Promise, "Sequencer": sk.Sequencer,
    "Queue": Queue, "VirtualQueue": sk.VirtualQueue, "ThreadPool": lambda: sk.ThreadPool(1), "Timer": lambda: Timer(1, print, queue=Queue.main()),
    "Disposable": lambda: Disposable.action(print), "DisposableSlot": sk.DisposableSlot, "DisposableBag": sk.DisposableBag,
    "Run": lambda: numbers().start(), "Callbacks": pipe_run, "Reader": lambda: numbers().iterate(), "Values": lambda: numbers().values(),
    "Owned": lambda: Queue()._handle,
}


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
@pytest.mark.parametrize("name", UNIQUE)
def test_what_stands_for_something_here_cannot_be_copied(name, copied):
    with pytest.raises(TypeError, match=f"^{name} cannot be copied: it stands for something in this process$"):
        copied(UNIQUE[name]())


def test_a_subscriber_cannot_be_copied():
    errors = []
    for copied in copy.copy, copy.deepcopy, pickle.dumps:
        Signal.create(lambda subscriber: copied(subscriber)).start(print, on_error=lambda error: errors.append(str(error)))
    assert errors == ["Subscriber cannot be copied: it stands for something in this process"] * 3


@pytest.mark.parametrize("made", [Signal.never, lambda: Signal.from_iterable([1]), lambda: sk.State(1).signal, lambda: Signal.create(print).map(str)])
def test_a_signal_does_not_change_and_is_its_own_copy(made):
    signal = made()
    assert copy.copy(signal) is signal and copy.deepcopy([signal])[0] is signal
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(TypeError, match="^Signal cannot be copied: "):
            pickle.dumps(signal, protocol)


@pytest.mark.parametrize("name", LARGE)
def test_a_number_that_does_not_fit_is_not_cut(name):
    with pytest.raises(OverflowError, match=f"^{name}.* too large a number, of .* bits"):
        LARGE[name]()


@pytest.mark.parametrize("value", [2**63 - 1, 2**63, -(2**63) - 1, 2**70, 10**400], ids=lambda value: f"{value.bit_length()}_bits")
def test_a_value_may_be_of_any_size(value):
    for signal in Signal.just(value), Signal.from_iterable([value]), Signal.create(lambda subscriber: (subscriber.next(value), None)[1]):
        assert signal.take(1).map(lambda v: v).take_last().get() == value


# The documented ranges: `Raises ValueError unless …`. Each sample is of the other arguments that a function needs.
RANGE = re.compile(r"`(\w+)` is (?:a signal, or )?((?:finite and )?(?:\d+ or more|more than 0)|from \d+ to \d+)")
OUTSIDE = {
    "0 or more": [-1], "1 or more": [0, -1], "finite and 0 or more": [-1, math.inf], "finite and more than 0": [0, -1, math.inf],
    "more than 0": [0, -1], "from 0 to 1": [-0.5, 1.5], "from 1 to 2": [0, -1],
}
SAMPLES = {
    "function": Signal.just, "key": str, "pipeline": lambda key, values: values, "boundary": numbers(), "seconds": 1, "count": 2, "first": 1,
    "fd": 0, "granularity": 1, "by": 1, "attempts": 2, "replay": 1, "signo": 1, "pid": 1, "target": Queue.main(), "path": "/",
    "arguments": ["true"],
}


def documented():
    for holder, names in ((Signal, dir(Signal)), (sk.descriptors, sk.descriptors.__all__)):
        for name in names:
            made = getattr(holder, name)
            for sentence in re.findall(r"Raises ValueError unless (.*?)\.\n", re.sub(r"\n +(?=\S)", " ", made.__doc__ or "") + "\n", re.S):
                for parameter, rule in RANGE.findall(sentence):
                    yield holder, name, parameter, rule


@pytest.mark.parametrize("holder, name, parameter, rule", list(documented()), ids=str)
def test_an_argument_outside_of_its_documented_range_is_a_value_error(holder, name, parameter, rule):
    function = getattr(numbers() if holder is Signal else holder, name)
    signature = inspect.signature(function)
    loop = asyncio.new_event_loop()
    given = {"loop": loop} if "loop" in signature.parameters else {}
    for needed in signature.parameters.values():
        if needed.default is needed.empty and needed.kind is not needed.VAR_POSITIONAL:
            given[needed.name] = SAMPLES[needed.name]
    duration = "Seconds" in str(signature.parameters[parameter].annotation)
    for value in OUTSIDE[rule] + [math.nan] * duration:
        given[parameter] = value
        with pytest.raises(ValueError, match=rf"\b{parameter}\b|{name}") as raised:
            bound = signature.bind(**given)
            made = function(*bound.args, **bound.kwargs)
            made(numbers())  # where it is an operator
        assert "SGK_" not in str(raised.value) and "bound." not in str(raised.value)
    loop.close()


def test_every_number_has_a_documented_range():
    known = {(name, parameter) for _, name, parameter, _ in documented()}
    any_number = {("range", "first"), ("retry", "seed"), ("wall_clock_timer", "time")}
    for holder, names in ((Signal, dir(Signal)), (sk.descriptors, sk.descriptors.__all__)):
        for name in names:
            if not name.startswith("_") and inspect.isroutine(getattr(holder, name)):
                for parameter in inspect.signature(getattr(holder, name)).parameters.values():
                    if re.search(r"(^|[^\w\[])(int|float|Seconds)\b", str(parameter.annotation)) and "Callable" not in str(parameter.annotation):
                        assert (name, parameter.name) in known | any_number


def test_edges_and_attempts_are_those_that_there_are():
    for edges in 77, 0:
        with pytest.raises(ValueError, match="Throttle|edges"):
            numbers().throttle(1, queue=Queue.main(), edges=edges)
    assert sk.Throttle.LEADING | sk.Throttle.TRAILING is sk.Throttle.BOTH and not isinstance(sk.Throttle.BOTH, int)
    with pytest.raises(ValueError, match="attempts must be 1 or more, or None"):
        numbers().retry(0)


def test_a_duration_may_be_a_timedelta():
    clock = sk.VirtualQueue()
    clock.advance(timedelta(minutes=1))
    ticks = Signal.interval(timedelta(hours=1), queue=clock).share(keep=timedelta(days=1), queue=clock)
    seen = []
    ticks.start(seen.append).dispose()
    clock.advance(7200)
    assert clock.now == 7260
    with ticks.start(seen.append):
        clock.advance(timedelta(hours=1))
    assert seen == [2]
    clock.advance(timedelta(days=1))
    with pytest.raises(TimeoutError):
        Signal.never().get(timedelta(milliseconds=1))
    pipe = sk.Pipe()
    with pipe.signal.iterate(timeout=timedelta(milliseconds=1)) as reader:
        for read in lambda: next(reader), lambda: reader.next(timedelta(milliseconds=1)):
            with pytest.raises(TimeoutError):
                read()


def test_what_should_have_been_a_signal_is_named(caplog):
    errors = []
    numbers().switch_map(lambda n: n).start(print, on_error=errors.append)
    Signal.deferred(lambda: "x").start(print, on_error=errors.append)
    Signal.create(lambda subscriber: 5).start(print, on_error=errors.append)
    assert [type(error) for error in errors] == [TypeError] * 3
    assert "needs a Signal, not 0" in str(errors[0]) and "not 'x'" in str(errors[1]) and "not 5" in str(errors[2])
    for error in errors:
        error.__traceback__ = None
