"""Operators: `signal | map(f) | take(3)`. Each behaves like the library's operator of that name. See the reference of the C interface.

If a function raises, the subscription fails with that exception.

Each operator is also a method: `signal.map(f).take(3)`. Only a method gives a type to the arguments of a lambda, because Python checks an operand of `|`
before it knows the other one. `map(f) | take(3)` is an operator, too."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import asyncio
import ctypes
import itertools
import math
import operator as _operator
import sys
from contextlib import AbstractContextManager
from datetime import timedelta
from typing import Any, Awaitable, Callable, TypeVar, overload

from . import _library as library, _methods, _needed, aio
from ._contexts import DESTROY, contexts, given, register, unhandled
from ._joining import WithLatest
from ._kinds import (
    POLICIES, Completed, Dropping, Event, Failed, Next, Overflow, Pausing, Throttle, Writing, event_of, overflow_policy, parts_of,
    pausing_policies,
)
from ._library import Handle, callback, checked, lib, log, shown
from ._listeners import NONE
from ._loops import continuing_on
from ._needed import Seconds
from ._operator import Operator, Passing
from ._stages import (
    AFTER, BEFORE, COMPACT_MAP, DISTINCT, DISTINCT_UNTIL_CHANGED, ENUMERATED, FILTER, MAP, PAIRWISE, REDUCE, SCAN, SKIP_WHILE, note,
)
from ._tracebacks import follows, without_variables
from ._values import Array, decode, decode_error, owned
from .queues import Queue, QueueLike, queue_for
from .signal import Fail, Signal, failing, retained

__all__ = [
    "after_completed", "after_disposed", "after_next", "before_completed", "before_error", "before_next", "before_started", "catch",
    "combine_latest", "compact_map", "debounce", "delay_start", "deliver_on", "distinct_until_changed", "Event", "Overflow", "filter", "from_events",
    "ignore_values", "map", "map_error", "concat_map", "switch_map", "concat_map_latest", "merge", "named",
    "Operator", "Passing", "concat_all", "reduce", "retry", "run_on", "serialized", "suspend_aware_delay",
    "switch_to_latest", "take", "take_last", "take_until_replacement", "concat_with", "throttle", "concat_latest",
    "timeout", "to_events", "trace", "using", "Completed", "Failed", "Next",
    "chunked", "chunked_by", "delay", "paused_by", "rate_limit", "sample", "share", "take_for", "Throttle", "time_interval", "timeout_first",
    "timestamped", "windowed",
    "catch_and_return", "catch_with", "concat", "default_if_empty", "distinct", "end_with", "enumerated", "pairwise", "repeat", "scan", "skip",
    "skip_while", "start_with", "switch_if_empty", "take_while", "to_array",
    "group_by", "switch_map_per",
    "exhaust_map", "merge_map", "merge_all", "map_async", "map_ordered", "merge_all_ordered", "race", "skip_until", "take_until", "with_latest_from", "zip",
]

T = TypeVar("T")
U = TypeVar("U")
V = TypeVar("V")
A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
D = TypeVar("D")
E = TypeVar("E")

Function = Callable[[Signal[T]], Signal[U]]
"""The type of an operator whose result has another type, which only the signal determines."""

_MOST = 2**63 - 1
_MANY = 65_536  # keys: so many without a limit are likely to be a mistake

_applying: Any = Operator  # the functions that return one know its type

# ---- Stages of Python: neighbouring ones are one function ----


def map(function: Callable[[T], U]) -> Operator[T, U]:
    """Emits `function(value)` for each value.

        >>> list(Signal.range(1, 3).map(lambda n: n * n).iterate())
        [1, 4, 9]

    """
    return _applying(lambda signal: signal._with(MAP, function))


def filter(predicate: Callable[[T], object]) -> Operator[T, T]:
    """Passes the values for which `predicate(value)` is true.

        >>> list(Signal.range(1, 4).filter(lambda n: n % 2 == 0).iterate())
        [2, 4]

    """
    return _applying(lambda signal: signal._with(FILTER, predicate))


def compact_map(function: Callable[[T], U | None]) -> Operator[T, U]:
    """Emits `function(value)`, but drops None.

        >>> list(Signal.range(1, 3).compact_map({1: 'a', 3: 'c'}.get).iterate())
        ['a', 'c']

    """
    return _applying(lambda signal: signal._with(COMPACT_MAP, function))


def before_next(function: Callable[[T], object]) -> Operator[T, T]:
    """Calls `function(value)` before a value is passed on.

        >>> run = Signal.range(1, 2).before_next(lambda n: print('before', n)).start(print)
        before 1
        1
        before 2
        2

    """
    return _applying(lambda signal: signal._with(BEFORE, function))


def after_next(function: Callable[[T], object]) -> Operator[T, T]:
    """Calls `function(value)` after a value has been passed on.

        >>> run = Signal.range(1, 2).after_next(lambda n: print('after', n)).start(print)
        1
        after 1
        2
        after 2

    """
    return _applying(lambda signal: signal._with(AFTER, function))


# ---- Functions that the library calls ----
# Their context contains a function and the function that fails the subscription; or only the function if the result is a signal. After a failure, the
# substitute result also ends the subscription.


def _asked(kind: Any, convert: Callable[[Any], Any], default: Any = False, error: bool = False) -> int:
    read = decode_error if error else decode

    def ask(context: int, *value: int) -> Any:
        function = contexts[context][0]
        return convert(function(read(*value)) if value else function())

    def failed(raised: BaseException, context: int, *value: int) -> Any:
        _, fail, name = contexts[context]
        note(raised, name)
        fail(raised)
        return default

    return callback(kind, ask, failed)


def _remembered(context: int | None, kind: int, bits: int) -> None:
    without_variables(decode_error(kind, bits))


def _to_signal(context: int, kind: int, bits: int) -> int:
    return retained(contexts[context][0](decode(kind, bits)))


def _error_to_signal(context: int, kind: int, bits: int) -> int:
    error = decode_error(kind, bits)
    try:
        return retained(contexts[context][0](error))
    except BaseException as another:
        follows(another, error)
        raise


def _decide(context: int, kind: int, bits: int, failures: int) -> "int | None":
    function, queue, _ = contexts[context]
    decision = function(decode_error(kind, bits), failures)
    if decision is None or decision is True:
        return None
    if decision is False:
        return checked(lib.sgk_signal_empty())
    if isinstance(decision, (int, float, timedelta)):
        return checked(lib.sgk_signal_timer(_needed.seconds("retry", decision), queue._handle))
    return retained(decision)


def _to_pipeline(context: int, kind: int, bits: int, values: int) -> int:
    return retained(contexts[context][0](decode(kind, bits), Signal(Handle(lib.sgk_retain(values)))))


def _not_a_signal(error: BaseException, context: int, *arguments: int) -> int:
    note(error, contexts[context][-1])
    return failing(error)


_TEST = _asked(library.PredicateFn, bool)
_PREDICATE = _asked(library.PredicateFn, bool, error=True)
_EFFECT = _asked(library.PlainFn, bool)
_ERROR_EFFECT = _asked(library.NextFn, bool, error=True)
_REMEMBERED = callback(library.NextFn, _remembered, lambda error, *value: unhandled("an error that is shared", error))
_TO_SIGNAL = callback(library.ToSignalFn, _to_signal, _not_a_signal)
_ERROR_TO_SIGNAL = callback(library.ToSignalFn, _error_to_signal, _not_a_signal)
_DECISION = callback(library.RetryFn, _decide, _not_a_signal)
_TO_PIPELINE = callback(library.PipelineFn, _to_pipeline, _not_a_signal)


def _calling(name: str, called: int, function: Callable[..., Any], before: tuple[Any, ...] = (), queue: Queue | None = None) -> Any:
    """Applies a library operator with a function that may raise. Each subscription creates the operator again, so that the function knows the
    subscription to fail."""
    _needed.function(shown(name), function)
    create = given(getattr(lib, "sgk_signal_" + name))

    def arguments(fail: Fail) -> tuple[Any, ...]:
        return (*before, called, register((function, fail, shown(name))), DESTROY, *((queue._handle,) if queue else ()))

    def apply(signal: Signal[Any]) -> Signal[Any]:
        def make(fail: Fail) -> int:
            return checked(create(signal._signal_handle(), *arguments(fail)))

        lib.sgk_release(make(lambda error: None))  # wrong arguments raise immediately
        return Signal(None, make=make, name=signal._name)

    return _applying(apply)


def _inner(name: str, called: int, function: Callable[..., Signal[Any]], stage: str = "") -> Any:
    _needed.function(shown(name), function)
    return _applying(lambda signal: signal._through(name, called, register((function, stage or shown(name))), DESTROY))


def _plain(name: str, *arguments: Any) -> Any:
    return _applying(lambda signal: signal._through(name, *arguments))


def _on(name: str, queue: QueueLike, *arguments: Any) -> Any:
    on = queue_for(shown(name), queue)
    return _applying(lambda signal: signal._through("signal_" + name, *arguments, on._handle))


def _beside(name: str, other: Signal[Any]) -> Any:
    _needed.instance(name, Signal, other)
    return _applying(lambda signal: signal._through("signal_" + name, other._signal_handle()))


def _bound(name: str, limit: int | None, overflow: Dropping, parameter: str = "limit", least: int = 1) -> tuple[int, int]:
    """The limit and the policy of a bound."""
    policy = POLICIES[overflow_policy(name, overflow)]
    return _needed.limit(name, parameter, limit, least) or library.UNBUFFERED, policy


def _pausing_bound(
    name: str, limit: int | None, overflow: Pausing | Writing, parameter: str = "limit", least: int = 1, writes: bool = False
) -> tuple[int, int]:
    """The same for an operator that can pause its source. Then the library's default is the limit."""
    policies = pausing_policies(name, overflow, writes)
    most = 0 if limit is None and Overflow.PAUSE in policies else _needed.limit(name, parameter, limit, least) or library.UNBUFFERED
    return most, sum(POLICIES[policy] for policy in policies)


def _bounded(create: Any, before: tuple[Any, ...], bound: tuple[int, int], after: tuple[Any, ...] = ()) -> int:
    """Calls a library function that takes a bound."""
    error = owned(aio.OverflowedError())
    struct = library.Bound(ctypes.sizeof(library.Bound), *bound, 0, None, error)
    try:
        return checked(given(create)(*before, ctypes.addressof(struct), *after))
    finally:
        lib.sgk_value_release(error.kind, error.bits)


# ---- Values ----


def map_error(function: Callable[[BaseException], BaseException]) -> Passing:
    """Fails with `function(error)` when the signal fails.

        >>> run = Signal.fail(KeyError('k')).map_error(lambda error: ValueError(str(error))).start(on_error=print)
        'k'

    """
    _needed.function("map_error", function)
    return _inner("signal_catch", _ERROR_TO_SIGNAL, lambda error: Signal.fail(function(error)), "map_error")


def ignore_values() -> Operator[Any, Any]:
    """Passes only the end.

        >>> run = Signal.range(1, 3).ignore_values().start(print, on_completed=lambda: print('completed'))
        completed

    """
    return _plain("signal_ignore_values")


@overload
def distinct_until_changed() -> Passing: ...
@overload
def distinct_until_changed(equal: Callable[[T, T], object]) -> Operator[T, T]: ...
def distinct_until_changed(equal: Callable[[Any, Any], object] = _operator.eq) -> Any:
    """Drops a value for which `equal(last that passed, value)` is true.

        >>> list(Signal.from_iterable([1, 1, 2, 1]).distinct_until_changed().iterate())
        [1, 2, 1]

    """
    _needed.function("distinct_until_changed", equal)

    def fresh() -> Callable[[T], bool]:
        last: Any = NONE

        def is_new(value: T) -> bool:
            nonlocal last
            if last is not NONE and equal(last, value):
                return False
            last = value
            return True

        return is_new

    return _applying(lambda signal: signal._with_state(DISTINCT_UNTIL_CHANGED, fresh))


def serialized() -> Passing:
    """Passes the events of a source that emits from several threads one at a time.

        >>> list(Signal.range(1, 3).serialized().iterate())
        [1, 2, 3]

    """
    return _plain("signal_serialized")


def reduce(function: Callable[[U, T], U], initial: U) -> Operator[T, U]:
    """Folds all values into one, beginning with `initial`, and emits it at completion.

        >>> Signal.range(1, 4).reduce(lambda total, n: total + n, 0).get()
        10

    """
    _needed.function("reduce", function, "a function first")

    # The library's own wants a function that returns a sgk_value, which ctypes cannot make; so this one is put together.
    def apply(signal: Signal[T]) -> Signal[U]:
        def fresh() -> Signal[U]:
            accumulated = initial

            def step(value: T) -> bool:
                nonlocal accumulated
                accumulated = function(accumulated, value)
                return False

            return signal._with_state(REDUCE, lambda: step) | concat_with(Signal.deferred(lambda: Signal.just(accumulated)))

        return Signal.deferred(fresh)

    return _applying(apply)


@overload
def scan(function: Callable[[U, T], U], initial: U) -> Operator[T, U]: ...
@overload
def scan(function: Callable[[T, T], T]) -> Operator[T, T]: ...
def scan(function: Callable[[Any, Any], Any], initial: Any = NONE) -> Any:
    """Emits every accumulated value: `function(accumulated, value)` for each value, beginning with `initial`. Without `initial`, the first value is emitted
    as it is, and accumulation begins with it.

        >>> list(Signal.range(1, 4).scan(lambda total, n: total + n, 0).iterate())
        [1, 3, 6, 10]

    """
    _needed.function("scan", function, "a function first")

    def fresh() -> Callable[[Any], Any]:
        accumulated = initial

        def step(value: Any) -> Any:
            nonlocal accumulated
            accumulated = function(accumulated, value)
            return accumulated

        def first_step(value: Any) -> Any:
            nonlocal accumulated
            accumulated = value if accumulated is NONE else function(accumulated, value)
            return accumulated

        return first_step if initial is NONE else step

    return _applying(lambda signal: signal._with_state(SCAN, fresh))


def pairwise() -> Function[T, tuple[T, T]]:
    """Emits each value but the first together with the one before it.

        >>> list(Signal.range(1, 3).pairwise().iterate())
        [(1, 2), (2, 3)]

    """

    def fresh() -> Callable[[T], tuple[T, T]]:
        before: Any = NONE

        def pair(value: T) -> tuple[T, T]:
            nonlocal before
            both = before, value
            before = value
            return both

        return pair

    return _applying(lambda signal: signal._with_state(PAIRWISE, fresh)._with(FILTER, lambda both: both[0] is not NONE))


def enumerated() -> Function[T, tuple[int, T]]:
    """Emits each value together with its number, from 0 on.

        >>> list(Signal.from_iterable('ab').enumerated().iterate())
        [(0, 'a'), (1, 'b')]

    """

    def fresh() -> Callable[[T], tuple[int, T]]:
        numbers = itertools.count()
        return lambda value: (next(numbers), value)

    return _applying(lambda signal: signal._with_state(ENUMERATED, fresh))


def to_array(*, limit: int | None = None, overflow: Dropping = Overflow.ERROR) -> Function[T, list[T]]:
    """Emits all values as one list, at completion. `limit` is the maximum number of values (None: unlimited). If it is exceeded,
    `overflow` decides: "drop_oldest", "drop_newest", "latest", or "error", an OverflowedError.

    Raises ValueError unless `limit` is 1 or more, or None.

        >>> Signal.range(1, 3).to_array().get()
        [1, 2, 3]

    """
    bound = _bound("to_array", limit, overflow)

    def apply(signal: Signal[T]) -> Signal[list[T]]:
        whole: Signal[Any] = Signal(Handle(_bounded(lib.sgk_signal_to_array, (signal._signal_handle(),), bound)), name=signal._name)
        return whole | map(list)

    return _applying(apply)


@overload
def distinct(*, limit: int | None = None, overflow: Dropping = Overflow.DROP_OLDEST) -> Passing: ...
@overload
def distinct(key: Callable[[T], Any], *, limit: int | None = None, overflow: Dropping = Overflow.DROP_OLDEST) -> Operator[T, T]: ...
def distinct(
    key: Callable[[Any], Any] = lambda value: value, *, limit: int | None = None, overflow: Dropping = Overflow.DROP_OLDEST
) -> Any:
    """Passes a value if its `key(value)` (default: the value) has not occurred before. `limit` is the maximum number of stored keys (None: unlimited).
    If it is exceeded, `overflow` decides: "drop_oldest" forgets the oldest key, "latest" all others, "drop_newest" does not store the new one,
    and "error" fails with an OverflowedError.

    Raises ValueError unless `limit` is 1 or more, or None.

        >>> list(Signal.from_iterable([1, 2, 1]).distinct().iterate())
        [1, 2]

    """
    policy = overflow_policy("distinct", overflow, waits=False)
    _needed.function("distinct", key)
    _needed.limit("distinct", "limit", limit)

    def fresh() -> Callable[[T], bool]:
        known: dict[Any, None] = {}  # compared with Python's ==

        def is_new(value: T) -> bool:
            new = key(value)
            if new in known:
                return False
            if limit is not None and len(known) >= limit:
                if policy is Overflow.ERROR:
                    raise aio.OverflowedError(f"distinct stores {limit} keys already")
                if policy is Overflow.DROP_NEWEST:
                    return True
                if policy is Overflow.LATEST:
                    known.clear()
                else:
                    del known[next(iter(known))]
            known[new] = None
            if len(known) == _MANY and limit is None:
                log.warning("distinct stores %d keys, and has no limit", _MANY)
            return True

        return is_new

    return _applying(lambda signal: signal._with_state(DISTINCT, fresh))


def to_events() -> Function[T, Event[T]]:
    """Makes values of the events, the end too. (`materialize` in Rx.)

        >>> list(Signal.just(1).to_events().iterate())
        [Next(value=1), Completed()]

    """
    return _applying(lambda signal: signal._through("signal_to_events") | map(event_of))


def from_events() -> Function[Event[T], T]:
    """Makes events of such values: the reverse of to_events.

        >>> list(Signal.from_iterable([Next(1), Completed(), Next(2)]).from_events().iterate())
        [1]

    """
    return _applying(lambda signal: (signal | map(lambda event: Array(parts_of(event))))._through("signal_from_events"))


# ---- A part of the values ----


def take(count: int) -> Passing:
    """Passes the first values and completes right after the last of them.

    Raises ValueError unless `count` is 0 or more.

        >>> list(Signal.range(1, 9).take(2).iterate())
        [1, 2]

    """
    return _plain("signal_take", count)


def take_last(count: int = 1) -> Passing:
    """Emits the last `count` values, or fewer if there were fewer, at completion.

    Raises ValueError unless `count` is 0 or more.

        >>> list(Signal.range(1, 9).take_last(2).iterate())
        [8, 9]

    """
    return _plain("signal_take_last", count)


def take_while(predicate: Callable[[T], object]) -> Operator[T, T]:
    """Passes the values as long as `predicate(value)` is true, and completes at the first for which it is not, which is dropped.

        >>> list(Signal.range(1, 9).take_while(lambda n: n < 3).iterate())
        [1, 2]

    """
    return _calling("take_while", _TEST, predicate)


def skip(count: int) -> Passing:
    """Drops the first values and passes the rest.

    Raises ValueError unless `count` is 0 or more.

        >>> list(Signal.range(1, 4).skip(2).iterate())
        [3, 4]

    """
    return _plain("signal_skip", count)


def skip_while(predicate: Callable[[T], object]) -> Operator[T, T]:
    """Drops values while `predicate(value)` is true. Passes the first value for which it is false, and all later ones.

        >>> list(Signal.from_iterable([1, 5, 1]).skip_while(lambda n: n < 3).iterate())
        [5, 1]

    """
    _needed.function("skip_while", predicate)

    def fresh() -> Callable[[T], bool]:
        skipping = True

        def passes(value: T) -> bool:
            nonlocal skipping
            skipping = skipping and bool(predicate(value))
            return not skipping

        return passes

    return _applying(lambda signal: signal._with_state(SKIP_WHILE, fresh))


def skip_until(until: Signal[Any]) -> Passing:
    """Drops the values until `until` has emitted one. It is started first; its completion means nothing, its error ends the result.

        >>> pipe, gate = Pipe[int](), Pipe[str]()
        >>> run = pipe.signal.skip_until(gate.signal).start(print)
        >>> pipe.next(1)
        >>> gate.next('open')
        >>> pipe.next(2)
        2

    """
    return _beside("skip_until", until)


def take_until(until: Signal[Any]) -> Passing:
    """Passes the values until `until` emits one, and completes then. It is started first; its completion means nothing, its error ends the result.

        >>> pipe, end = Pipe[int](), Pipe[str]()
        >>> run = pipe.signal.take_until(end.signal).start(print)
        >>> pipe.next(1)
        1
        >>> end.next('end')
        >>> pipe.next(2)

    """
    return _beside("take_until", until)


def paused_by(condition: Signal[bool]) -> Passing:
    """Pauses the source while the latest value of `condition` is true. It is started first. Its completion means nothing, its error ends the result.

    A value that is no bool ends the result with a SignalKitError. The operator stores no value: those of a source that cannot be paused pass.

        >>> busy = State(True)
        >>> run = Signal.range(0, 3).paused_by(busy.signal).start(print)
        >>> run.dispose()

    """
    return _beside("paused_by", condition)


# ---- Watching ----


def before_started(function: Callable[[], object]) -> Passing:
    """Calls `function()` for each start, before the signal is started.

        >>> run = Signal.just(1).before_started(lambda: print('started')).start(print)
        started
        1

    """
    return _calling("before_started", _EFFECT, function)


def before_error(function: Callable[[BaseException], object]) -> Passing:
    """Calls `function(error)` before the error is passed on.

        >>> run = Signal.fail(KeyError('k')).before_error(print).start(on_error=lambda error: print('failed'))
        'k'
        failed

    """
    return _calling("before_error", _ERROR_EFFECT, function)


def before_completed(function: Callable[[], object]) -> Passing:
    """Calls `function()` before completion is passed on.

        >>> run = Signal.just(1).before_completed(lambda: print('end')).start(print)
        1
        end

    """
    return _calling("before_completed", _EFFECT, function)


def after_completed(function: Callable[[], object]) -> Passing:
    """Calls `function()` after completion was passed on. Its exceptions are logged.

        >>> run = Signal.empty().after_completed(lambda: print('after')).start(on_completed=lambda: print('completed'))
        completed
        after

    """
    return _calling("after_completed", _EFFECT, function)


def after_disposed(function: Callable[[], object]) -> Passing:
    """Calls `function()` once per subscription when it is torn down. Its exceptions are logged.

        >>> Pipe[int]().signal.after_disposed(lambda: print('disposed')).start().dispose()
        disposed

    """
    return _calling("after_disposed", _EFFECT, function)


def using(acquire: Callable[[], AbstractContextManager[U]], use: Callable[[U], Signal[T]]) -> Signal[T]:
    """Enters the context that `acquire()` returns for each subscription, and behaves like the signal that `use` creates with it. Exits the context when
    the subscription ends or is disposed: `using(lambda: open(path), lines_of)`.

        >>> from contextlib import closing
        >>> from io import StringIO
        >>> list(using(lambda: closing(StringIO('text')), lambda file: Signal.just(file.read())).iterate())
        ['text']

    """
    _needed.function("using", acquire)
    _needed.function("using", use)

    def body() -> Signal[T]:
        manager = acquire()
        resource = manager.__enter__()
        try:
            used = use(resource)
        except BaseException as error:
            if not manager.__exit__(type(error), error, error.__traceback__):
                raise
            return Signal.empty()
        return used | after_disposed(lambda: manager.__exit__(None, None, None))

    return Signal.deferred(body)


def named(name: str) -> Passing:
    """Names the signal. The log contains the name with each unhandled error of a subscription to it or to signals derived from it. The last of several
    names applies.

        >>> Signal.range(0, 3).named('numbers')
        <Signal: range 0, 3 | named "numbers">

    """
    _needed.instance("named", str, name)
    return _applying(lambda signal: signal._named(name))


def trace(name: str) -> Passing:
    """Writes a line to the library's log (stderr) for each event of a subscription.

        >>> Signal.range(0, 3).trace('numbers')
        <Signal: range 0, 3 | named "numbers" | trace>

    """
    return _plain("signal_trace", _needed.text("trace", name))


# ---- Signals of signals ----


def switch_to_latest() -> Function[Signal[T], T]:
    """Follows the latest inner signal.

        >>> list(Signal.from_iterable([Signal.just(1), Signal.just(2)]).switch_to_latest().iterate())
        [1, 2]

    """
    return _plain("signal_switch_to_latest")


def concat_all() -> Function[Signal[T], T]:
    """Runs the inner signals one after another.

        >>> list(Signal.from_iterable([Signal.range(1, 2), Signal.just(5)]).concat_all().iterate())
        [1, 2, 5]

    """
    return _plain("signal_concat_all")


def concat_latest() -> Function[Signal[T], T]:
    """Runs one inner signal after another. Of the signals that arrive during one, it stores only the latest.

        >>> list(Signal.from_iterable([Signal.just(1), Signal.just(2)]).concat_latest().iterate())
        [1, 2]

    """
    return _plain("signal_concat_latest")


def take_until_replacement(replacement: Signal[Signal[V]]) -> Function[T, T | V]:
    """Passes the signal on until `replacement` emits another one, which takes its place.

        >>> list(Signal.never().take_until_replacement(Signal.just(Signal.just(5))).iterate())
        [5]

    """
    return _beside("take_until_replacement", replacement)


def switch_map(function: Callable[[T], Signal[U]]) -> Operator[T, U]:
    """Follows the signal that `function(value)` returns for the latest value.

        >>> list(Signal.range(1, 2).switch_map(lambda n: Signal.range(n, 2)).iterate())
        [1, 2, 2, 3]

    """
    return _inner("signal_switch_map", _TO_SIGNAL, function)


def concat_map(function: Callable[[T], Signal[U]]) -> Operator[T, U]:
    """Runs the signals that `function(value)` returns one after another.

        >>> list(Signal.range(1, 2).concat_map(lambda n: Signal.range(n, 2)).iterate())
        [1, 2, 2, 3]

    """
    return _inner("signal_concat_map", _TO_SIGNAL, function)


def concat_map_latest(function: Callable[[T], Signal[U]]) -> Operator[T, U]:
    """As concat_map; of the signals that arrive while one runs only the latest is kept.

        >>> list(Signal.range(1, 2).concat_map_latest(Signal.just).iterate())
        [1, 2]

    """
    return _inner("signal_concat_map_latest", _TO_SIGNAL, function)


def merge_all(*, limit: int | None = None, waiting: int | None = None, overflow: Pausing = Overflow.ERROR) -> Function[Signal[T], T]:
    """Runs the inner signals simultaneously, at most `limit` of them. Further ones are buffered, at most `waiting`. If the buffer is full, `overflow`
    decides. By default the subscription fails with an OverflowedError. None means unlimited.

    Raises ValueError unless `limit` is 1 or more, or None, and `waiting` is 0 or more, or None.

        >>> list(Signal.from_iterable([Signal.just(1), Signal.just(2)]).merge_all().iterate())
        [1, 2]

    """
    return _inners("merge_all", limit, waiting, overflow)


def merge_map(
    function: Callable[[T], Signal[U]], *, limit: int | None = None, waiting: int | None = None, overflow: Pausing = Overflow.ERROR
) -> Operator[T, U]:
    """As merge_all, of the signals that `function(value)` returns.

    Raises ValueError unless `limit` is 1 or more, or None, and `waiting` is 0 or more, or None.

        >>> list(Signal.range(1, 2).merge_map(lambda n: Signal.range(n, 2), limit=1).iterate())
        [1, 2, 2, 3]

    """
    _needed.function("merge_map", function)
    return _inners("merge_map", limit, waiting, overflow, function)


def merge_all_ordered(*, limit: int | None = None, waiting: int | None = None, overflow: Pausing = Overflow.ERROR) -> Function[Signal[T], T]:
    """As merge_all, but passes the values in the order of the signals. A signal counts as running until its last value was passed.

    Raises ValueError unless `limit` is 1 or more, or None, and `waiting` is 0 or more, or None.

        >>> list(Signal.from_iterable([Signal.just(1), Signal.just(2)]).merge_all_ordered().iterate())
        [1, 2]

    """
    return _inners("merge_all_ordered", limit, waiting, overflow)


def map_ordered(
    function: Callable[[T], Signal[U]], *, limit: int | None = None, waiting: int | None = None, overflow: Pausing = Overflow.ERROR
) -> Operator[T, U]:
    """As merge_all_ordered, of the signals that `function(value)` returns.

    Raises ValueError unless `limit` is 1 or more, or None, and `waiting` is 0 or more, or None.

        >>> time = VirtualQueue()
        >>> run = Signal.range(1, 2).map_ordered(lambda n: Signal.just(n).delay_start(3 - n, queue=time)).start(print)
        >>> time.advance(3)
        1
        2

    """
    _needed.function("map_ordered", function)
    return _inners("map_ordered", limit, waiting, overflow, function)


def _inners(
    name: str, limit: int | None, waiting: int | None, overflow: Pausing, function: Callable[..., Any] | None = None
) -> Any:
    most, bound = _needed.limit(name, "limit", limit), _pausing_bound(name, waiting, overflow, "waiting", 0)
    make = getattr(lib, "sgk_signal_" + name)

    def apply(signal: Signal[Any]) -> Signal[Any]:
        after = () if function is None else (_TO_SIGNAL, register((function, name)), DESTROY)
        return Signal(Handle(_bounded(make, (signal._signal_handle(), most), bound, after)), name=signal._name)

    return _applying(apply)


def map_async(function: Callable[[T], Awaitable[U]], *, concurrency: int = 1, loop: asyncio.AbstractEventLoop | None = None) -> Operator[T, U]:
    """Awaits `function(value)` for each value on an asyncio loop (default: the loop that runs when this is called), and emits the results in the order of
    the values. At most `concurrency` calls run at the same time. While all places are taken, the source is paused. Values of a source that cannot be paused wait. The
    first error ends the subscription. Disposal cancels the calls.

    A source that starts on the loop's thread also continues there.

    Raises ValueError unless `concurrency` is 1 or more.

        >>> async def doubled(n: int) -> int: return 2 * n
        >>> async def main() -> None: print(await Signal.range(1, 3).map_async(doubled).to_array())
        >>> import asyncio; asyncio.run(main())
        [2, 4, 6]

    """
    _needed.called("map_async", function)
    loop = _needed.loop("map_async", loop)
    if _needed.whole("map_async", concurrency) < 1:
        raise ValueError("map_async: concurrency must be 1 or more")
    each: Operator[T, U] = map_ordered(
        lambda value: Signal.from_coroutine(lambda: function(value), loop), limit=concurrency, waiting=0, overflow=Overflow.PAUSE)

    def apply(signal: Signal[T]) -> Signal[U]:
        def source() -> Signal[T]:
            is_here = asyncio._get_running_loop() is loop
            return signal._through("signal_run_on", continuing_on(loop)._handle) if is_here else signal

        return each(Signal.deferred(source))

    return _applying(apply)


def exhaust_map(function: Callable[[T], Signal[U]]) -> Operator[T, U]:
    """Runs the signal that `function(value)` returns, unless one runs already: then the value is dropped.

        >>> pipe = Pipe[int]()
        >>> run = pipe.signal.exhaust_map(lambda n: Signal.never().start_with(n)).start(print)
        >>> pipe.next(1)
        1
        >>> pipe.next(2)

    """
    return _inner("signal_exhaust_map", _TO_SIGNAL, function)


def switch_map_per(
    key: Callable[[T], Any], function: Callable[[T], Signal[U]], *, limit: int | None = None, overflow: Dropping = Overflow.ERROR
) -> Operator[T, U]:
    """Follows, for each `key(value)`, the signal that `function` returns for the latest value of that key; the signals of different keys run
    simultaneously. `limit` is the maximum number of keys (None: unlimited). If it is exceeded, `overflow` decides: "drop_oldest" disposes the signal
    that was started first, "latest" disposes all, "drop_newest" does not start the new one, and "error" fails with an OverflowedError.

    Raises ValueError unless `limit` is 1 or more, or None.

        >>> list(Signal.range(1, 3).switch_map_per(lambda n: n % 2, Signal.just).iterate())
        [1, 2, 3]

    """
    return _per_key("switch_map_per", key, function, _TO_SIGNAL, lambda keyed: function(keyed.value), limit, overflow)


def group_by(
    key: Callable[[T], Any], pipeline: Callable[[Any, Signal[T]], Signal[U]], *, limit: int | None = None, overflow: Dropping = Overflow.ERROR
) -> Operator[T, U]:
    """Groups the values by `key(value)`. At the first value of a key, `pipeline(key, values)` creates the signal of the group. It is started
    immediately, and its values are merged into the result. Values that it does not subscribe to are dropped. A group ends when its pipeline completes
    or the source completes, which completes `values`. `limit` is the maximum number of groups (None: unlimited). If it is exceeded, `overflow`
    decides: "drop_oldest" completes the values of the oldest group, "latest" of all groups, "drop_newest" drops the value, and "error" fails
    with an OverflowedError.

    Raises ValueError unless `limit` is 1 or more, or None.

        >>> list(Signal.range(1, 4).group_by(lambda n: n % 2, lambda key, values: values.to_array()).iterate())
        [[1, 3], [2, 4]]

    """

    def grouped(keyed: _Keyed, values: Signal[_Keyed]) -> Signal[U]:
        return pipeline(keyed.key, values | map(_Keyed.its_value))

    return _per_key("group_by", key, pipeline, _TO_PIPELINE, grouped, limit, overflow)


class _Keyed:
    """A value that is compared by its key, with Python's `==`."""

    __slots__ = ("key", "value")

    def __init__(self, key: Any, value: Any) -> None:
        self.key = key
        self.value = value

    def its_value(self) -> Any:
        return self.value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Keyed) and bool(self.key == other.key)

    def __hash__(self) -> int:
        return hash(self.key)


def _per_key(
    name: str, key: Callable[[Any], Any], given: Callable[..., Any], called: int, function: Callable[..., Any], limit: int | None, overflow: Dropping
) -> Any:
    """`function` is what the library calls, with the values and their keys, for the one that is `given`."""
    _needed.function(name, key)
    _needed.function(name, given)
    create, bound = getattr(lib, "sgk_signal_" + name), _bound(name, limit, overflow)

    def with_key(value: Any) -> _Keyed:
        keyed = _Keyed(key(value), value)
        hash(keyed)  # here it can fail
        return keyed

    def apply(signal: Signal[Any]) -> Signal[Any]:
        source = signal | map(with_key)
        after = (None, called, register((function, name)), DESTROY)
        return Signal(Handle(_bounded(create, (source._signal_handle(),), bound, after)), name=signal._name)

    return _applying(apply)


# ---- Going on ----


def concat_with(next: Signal[V]) -> Function[T, T | V]:
    """Continues with `next` after the signal completes.

        >>> list(Signal.just(1).concat_with(Signal.just('a')).iterate())
        [1, 'a']

    """
    return _beside("concat_with", next)


def catch(function: Callable[[BaseException], Signal[V]]) -> Function[T, T | V]:
    """Continues with the signal that `function(error)` returns if the signal fails.

        >>> list(Signal.fail(KeyError('k')).catch(lambda error: Signal.just(repr(error))).iterate())
        ["KeyError('k')"]

    """
    return _inner("signal_catch", _ERROR_TO_SIGNAL, function)


def catch_with(other: Signal[V]) -> Function[T, T | V]:
    """Continues with `other` when the signal fails.

        >>> list(Signal.fail(KeyError('k')).catch_with(Signal.just(0)).iterate())
        [0]

    """
    return _beside("catch_with", other)


def catch_and_return(value: V) -> Function[T, T | V]:
    """When the signal fails, emits `value` and completes instead.

        >>> list(Signal.fail(KeyError('k')).catch_and_return(0).iterate())
        [0]

    """
    return catch(lambda error: Signal.just(value))


def start_with(*values: V) -> Function[T, T | V]:
    """Emits the values inside the start, before the signal is started.

        >>> list(Signal.just(3).start_with(1, 2).iterate())
        [1, 2, 3]

    """
    return _applying(lambda signal: concat(*(Signal.just(value) for value in values), signal))


def end_with(*values: V) -> Function[T, T | V]:
    """Emits the values when the signal has completed.

        >>> list(Signal.just(1).end_with(2, 3).iterate())
        [1, 2, 3]

    """
    return _applying(lambda signal: concat(signal, *(Signal.just(value) for value in values)))


def switch_if_empty(other: Signal[V]) -> Function[T, T | V]:
    """Continues with `other` if the signal completes without a value.

        >>> list(Signal.empty().switch_if_empty(Signal.just(0)).iterate())
        [0]

    """
    return _beside("switch_if_empty", other)


def default_if_empty(value: V) -> Function[T, T | V]:
    """Emits `value` if the signal completes without one.

        >>> list(Signal.empty().default_if_empty(0).iterate())
        [0]

    """
    return switch_if_empty(Signal.just(value))


def repeat(count: int | None = None) -> Passing:
    """Runs the signal `count` times, each time after the previous completion, or without limit. An error ends it.

    Raises ValueError unless `count` is 0 or more, or None.

        >>> list(Signal.range(1, 2).repeat(2).iterate())
        [1, 2, 1, 2]
        >>> list(Signal.range(1, 2).repeat().take(3).iterate())
        [1, 2, 1]

    """
    return _plain("signal_repeat", _needed.limit("repeat", "count", count, 0))


def retry(
    attempts: int | None = None,
    *,
    delay: Seconds = 1,
    factor: float = 2,
    increment: Seconds = 0,
    max_delay: Seconds = 60,
    jitter: float = 0,
    reset_after: Seconds = 0,
    reset_on_value: bool = False,
    seed: int = 0,
    decide: Callable[[BaseException, int], "bool | Seconds | Signal[Any] | None"] | None = None,
    queue: QueueLike = None,
) -> Passing:
    """If the signal fails, starts it again after a delay on `queue`: by default after 1 second, then after twice as long each time.

    `attempts` is the number of attempts, including the first one, and None means no limit. The first delay is `delay`; 0 means no wait. Each further delay is
    `factor` times as long and longer by `increment`, up to `max_delay`. `jitter` is the largest random change, as a part of the delay, and `seed` makes it
    reproducible. The failure of an attempt that lasted `reset_after` seconds counts as the first one. With `reset_on_value` so does the failure after a
    value.

    `decide(error, failures)` returns True or None to start again after the delay, False to fail, a number of seconds to wait instead, or a signal. The
    first value of the signal starts the next attempt. If the signal fails, so does the result. If it completes without a value, the result fails with the
    error of the attempt.

    Raises ValueError unless `attempts` is 1 or more, or None, `delay` is 0 or more, `factor` is 1 or more, `increment` is 0 or more, `max_delay` is more
    than 0, `jitter` is from 0 to 1, and `reset_after` is 0 or more.

        >>> time, attempts = VirtualQueue(), iter([Signal.fail(OSError('no answer')), Signal.just('answer')])
        >>> run = Signal.deferred(lambda: next(attempts)).retry(3, queue=time).start(print)
        >>> time.advance(1)
        answer

    """
    if _needed.whole("retry", seed).bit_length() > 64:
        raise _needed.too_large("retry", seed)
    most = _needed.limit("retry", "attempts", attempts)
    on = queue_for("retry", queue)
    if decide is not None:
        _needed.function("retry", decide)
    numbers = [_needed.seconds("retry", number) for number in (delay, factor, increment, max_delay, jitter, reset_after)]
    # Of these, the library takes 0 for its default, and -1 for none.
    for parameter, number, least in ("delay", numbers[0], 0), ("factor", numbers[1], 1):
        if not number >= least:
            raise ValueError(f"retry: {parameter} must be {least} or more")
    if not numbers[3] > 0:
        raise ValueError("retry: max_delay must be more than 0")
    numbers[0] = numbers[0] or library.AT_ONCE

    def apply(signal: Signal[Any]) -> Signal[Any]:
        policy = library.Retry(ctypes.sizeof(library.Retry), max(most, 0), *numbers, seed, bool(reset_on_value))
        if decide is not None:
            policy.decide, policy.context, policy.destroy = _DECISION, register((decide, on, "retry")), DESTROY
        return signal._through("signal_retry", ctypes.addressof(policy), on._handle)

    return _applying(apply)


# ---- Queues and time ----


def deliver_on(target: Queue | asyncio.AbstractEventLoop, *, limit: int | None = None, overflow: Pausing | None = None) -> Passing:
    """Delivers every event on a queue, or on the thread of an asyncio loop, in order, one at a time. About loops see aio.deliver_on.

    At most `limit` values are pending. If this is exceeded, `overflow` decides, by default "pause". A queue without both arguments has no limit.

    Raises ValueError unless `limit` is 1 or more, or None.

        >>> queue = Queue()
        >>> Signal.just(1).deliver_on(queue).map(lambda n: queue.is_current).get()
        True

    """
    if not isinstance(target, Queue):
        return aio.deliver_on(target, limit=limit, overflow=overflow)
    if limit is None and overflow is None:
        return _on("deliver_on", target)
    bound = _pausing_bound("deliver_on", limit, overflow or Overflow.PAUSE)
    return _applying(lambda signal: Signal(
        Handle(_bounded(lib.sgk_signal_deliver_on_bounded, (signal._signal_handle(),), bound, (target._handle,))), name=signal._name))


def run_on(target: Queue | asyncio.AbstractEventLoop) -> Passing:
    """Starts the signal on a queue, or on the thread of an asyncio loop.

        >>> queue = Queue()
        >>> Signal.deferred(lambda: Signal.just(queue.is_current)).run_on(queue).get()
        True

    """
    return _on("run_on", _needed.given("run_on", target))


def delay_start(seconds: Seconds, *, queue: QueueLike = None) -> Passing:
    """Delays the start, not the events: the signal is started on `queue` after some seconds.

    Raises ValueError unless `seconds` is 0 or more.

        >>> time = VirtualQueue()
        >>> run = Signal.just('now').delay_start(60, queue=time).start(print)
        >>> time.advance(60)
        now

    """
    return _on("delay_start", queue, _needed.seconds("delay_start", seconds))


def suspend_aware_delay(seconds: Seconds, granularity: Seconds, *, queue: QueueLike = None) -> Passing:
    """As delay, but time during which the system sleeps counts.

    Raises ValueError unless `seconds` is 0 or more, and `granularity` is 0 or more.

        >>> time = VirtualQueue()
        >>> run = Signal.just('now').suspend_aware_delay(60, 5, queue=time).start(print)
        >>> time.advance(60)
        now

    """
    return _on("suspend_aware_delay", queue, *(_needed.seconds("suspend_aware_delay", time) for time in (seconds, granularity)))


def throttle(seconds: Seconds, *, edges: Throttle = Throttle.BOTH, queue: QueueLike = None) -> Passing:
    """Emits the first value immediately and then at most one every `seconds`, the latest, on `queue`. `edges` selects other values.

    Raises ValueError unless `seconds` is 0 or more.

        >>> time = VirtualQueue()
        >>> run = Signal.range(1, 3).throttle(1, queue=time).start(print)
        >>> time.advance(1)
        1
        3

    """
    return _on("throttle", queue, _needed.seconds("throttle", seconds), Throttle(edges).value)


def debounce(seconds: Seconds, *, queue: QueueLike = None) -> Passing:
    """Emits a value after `seconds` without another value, on `queue`.

    Raises ValueError unless `seconds` is 0 or more.

        >>> time, typed = VirtualQueue(), Pipe[str]()
        >>> run = typed.signal.debounce(0.3, queue=time).start(print)
        >>> typed.next('s')
        >>> typed.next('si')
        >>> time.advance(0.3)
        si

    """
    return _on("debounce", queue, _needed.seconds("debounce", seconds))


def timeout(seconds: Seconds, *, queue: QueueLike = None) -> Passing:
    """Fails with a TimeoutError after `seconds` without an event: before the first, or between any two.

    Raises ValueError unless `seconds` is 0 or more.

        >>> time = VirtualQueue()
        >>> run = Signal.never().timeout(5, queue=time).start(on_error=lambda error: print('no answer'))
        >>> time.advance(5)
        no answer

    """
    return _on("timeout", queue, _needed.seconds("timeout", seconds))


def timeout_first(seconds: Seconds, *, queue: QueueLike = None) -> Passing:
    """Fails with a TimeoutError if no event arrives within `seconds`.

    Raises ValueError unless `seconds` is 0 or more.

        >>> time = VirtualQueue()
        >>> run = Signal.never().timeout_first(5, queue=time).start(on_error=lambda error: print('no answer'))
        >>> time.advance(5)
        no answer

    """
    return _on("timeout_first", queue, _needed.seconds("timeout_first", seconds))


def chunked(count: int, seconds: Seconds | None = None, *, queue: QueueLike = None) -> Function[T, tuple[T, ...]]:
    """Emits the values in tuples of `count`. Completion first emits the remaining values, and an error drops them. With `seconds`, a smaller tuple is
    emitted on `queue` that many seconds after its first value.

    Raises ValueError unless `count` is 1 or more, and `seconds` is 0 or more, or None.

        >>> list(Signal.range(1, 5).chunked(2).iterate())
        [(1, 2), (3, 4), (5,)]

    """
    if seconds is None:
        return _plain("signal_chunked", count)
    return _on("chunked_within", queue, count, _needed.seconds("chunked", seconds))


def windowed(count: int, every: int = 1) -> Function[T, tuple[T, ...]]:
    """Emits windows: tuples of `count` values. The first one starts with the first value, and each further one starts `every` values later. If `every` is
    less than `count`, windows overlap. If it is more, the values between two windows are dropped. The end drops the windows that are not full.

    Raises ValueError unless `count` is 1 or more, and `every` is 1 or more.

        >>> list(Signal.range(1, 5).windowed(3).iterate())
        [(1, 2, 3), (2, 3, 4), (3, 4, 5)]

    """
    return _plain("signal_windowed", count, every)


def chunked_by(boundary: Signal[Any], *, limit: int | None = None) -> Function[T, tuple[T, ...]]:
    """Emits the values in tuples, one for each value of `boundary` if new values have arrived. A tuple of `limit` values is emitted earlier.

    Raises ValueError unless `limit` is 1 or more, or None.

        >>> list(Signal.range(1, 3).chunked_by(Signal.never()).iterate())
        [(1, 2, 3)]

    """
    _needed.instance("chunked_by", Signal, boundary)
    most = _MOST if limit is None else _needed.limit("chunked_by", "limit", limit)
    return _applying(lambda signal: signal._through("signal_chunked_by", boundary._signal_handle(), most))


def delay(seconds: Seconds, *, limit: int | None = None, overflow: Pausing = Overflow.ERROR, queue: QueueLike = None) -> Passing:
    """Emits each value and the completion `seconds` after it arrived, on `queue`, and an error immediately. At most `limit` values are pending. If this
    is exceeded, `overflow` decides: "pause", "drop_oldest", "drop_newest", "latest", or "error", an OverflowedError.

    Raises ValueError unless `seconds` is 0 or more, and `limit` is 1 or more, or None.

        >>> time = VirtualQueue()
        >>> run = Signal.just('later').delay(60, queue=time).start(print)
        >>> time.advance(60)
        later

    """
    bound = _pausing_bound("delay", limit, overflow)
    on, time = queue_for("delay", queue), _needed.seconds("delay", seconds)
    return _applying(lambda signal: Signal(
        Handle(_bounded(lib.sgk_signal_delay, (signal._signal_handle(), time), bound, (on._handle,))), name=signal._name))


def rate_limit(count: int, seconds: Seconds, *, waiting: int | None = None, overflow: Pausing = Overflow.ERROR, queue: QueueLike = None) -> Passing:
    """Limits the rate by a token bucket: `count` values may pass at once, and one more every `seconds / count`. Further values are buffered, at most
    `waiting`, and emitted on `queue`. If the buffer is full, `overflow` decides. With `waiting` 0 and "drop_newest" such a value is dropped.

    Raises ValueError unless `count` is 1 or more, `seconds` is finite and 0 or more, and `waiting` is 0 or more, or None.

        >>> time = VirtualQueue()
        >>> run = Signal.range(1, 3).rate_limit(1, 10, queue=time).start(lambda n: print(f'{time.now:g} s: {n}'))
        0 s: 1
        >>> time.advance(20)
        10 s: 2
        20 s: 3

    """
    bound = _pausing_bound("rate_limit", waiting, overflow, "waiting", 0)
    on, time = queue_for("rate_limit", queue), _needed.seconds("rate_limit", seconds)
    return _applying(lambda signal: Signal(
        Handle(_bounded(lib.sgk_signal_rate_limit, (signal._signal_handle(), count, time), bound, (on._handle,))), name=signal._name))


def timestamped(*, queue: QueueLike = None) -> Function[T, tuple[float, T]]:
    """Emits tuples of the time when a value arrives, in seconds of the queue's clock, and the value.

        >>> time = VirtualQueue()
        >>> run = Signal.interval(2, queue=time).timestamped(queue=time).start(print)
        >>> time.advance(4)
        (2.0, 0)
        (4.0, 1)

    """
    return _on("timestamped", queue)


def time_interval(*, queue: QueueLike = None) -> Function[T, tuple[float, T]]:
    """Emits tuples of the seconds since the value before, or since the start, and the value.

        >>> time = VirtualQueue()
        >>> run = Signal.interval(2, queue=time).time_interval(queue=time).start(print)
        >>> time.advance(4)
        (2.0, 0)
        (2.0, 1)

    """
    return _on("time_interval", queue)


def take_for(seconds: Seconds, *, queue: QueueLike = None) -> Passing:
    """Passes the values of the first `seconds`, then completes, on `queue`.

    Raises ValueError unless `seconds` is 0 or more.

        >>> time = VirtualQueue()
        >>> run = Signal.interval(2, queue=time).take_for(3, queue=time).start(print, on_completed=lambda: print('completed'))
        >>> time.advance(9)
        0
        completed

    """
    return _on("take_for", queue, _needed.seconds("take_for", seconds))


def sample(by: Signal[Any] | Seconds, *, queue: QueueLike = None) -> Passing:
    """Emits the latest value at each value of a signal, or every `by` seconds on `queue`, if it is new since the last emission; and at completion.

    Raises ValueError unless `by` is a signal, or finite and more than 0.

        >>> time = VirtualQueue()
        >>> run = Signal.interval(1, queue=time).sample(2.5, queue=time).start(print)
        >>> time.advance(5)
        1
        3

    """
    if isinstance(by, Signal):
        return _applying(lambda signal: signal._through("signal_sample_on", by._signal_handle()))
    return _on("sample", queue, _needed.seconds("sample", by))


def share(replay: int = 0, *, keep: Seconds = 0.0, queue: QueueLike = None) -> Passing:
    """Shares one subscription among all subscribers. A later one first receives the latest `replay` values.

    `keep`: how many seconds of `queue` the subscription stays active without subscribers; `math.inf`: as long as the shared signal exists.

    The shared signal stores its error. The traceback of the error shows the lines but retains no variables. It retains variables again after the
    error was raised once more, for instance by `get`: see `Signal.fail`.

    Raises ValueError unless `replay` is 0 or more, and `keep` is 0 or more.

        >>> pipe = Pipe[int]()
        >>> shared = pipe.signal.before_started(lambda: print('started')).share()
        >>> runs = shared.start(), shared.start()
        started

    """
    time = _needed.seconds("share", keep)
    on = queue_for("share", queue) if queue is not None or 0 < time < math.inf else None
    handle = on and on._handle
    return _applying(lambda signal: signal._through("signal_before_error", _REMEMBERED, None, None)._through("signal_share", replay, time, handle))


# ---- Several signals ----


def _handles(name: str, signals: tuple[Signal[Any], ...]) -> ctypes.Array[ctypes.c_void_p]:
    return (ctypes.c_void_p * len(signals))(*(_needed.instance(name, Signal, signal)._signal_handle() for signal in signals))


@overload
def combine_latest(
    a: Signal[A], b: Signal[B], /, *, queue: Queue | None = None
) -> Signal[tuple[A, B]]: ...
@overload
def combine_latest(
    a: Signal[A], b: Signal[B], c: Signal[C], /, *, queue: Queue | None = None
) -> Signal[tuple[A, B, C]]: ...
@overload
def combine_latest(
    a: Signal[A], b: Signal[B], c: Signal[C], d: Signal[D], /, *, queue: Queue | None = None
) -> Signal[tuple[A, B, C, D]]: ...
@overload
def combine_latest(
    a: Signal[A], b: Signal[B], c: Signal[C], d: Signal[D], e: Signal[E], /, *, queue: Queue | None = None
) -> Signal[tuple[A, B, C, D, E]]: ...
@overload
def combine_latest(*signals: Signal[T], queue: Queue | None = None) -> Signal[tuple[T, ...]]: ...
def combine_latest(*signals: Signal[Any], queue: Queue | None = None) -> Signal[tuple[Any, ...]]:
    """Emits a tuple of the latest values of all for each value of any of them, once every one has emitted.

        >>> left, right = State(1), State('a')
        >>> run = combine_latest(left.signal, right.signal).start(print)
        (1, 'a')
        >>> left.set(2)
        (2, 'a')

    """
    return Signal(Handle(lib.sgk_combine_latest(_handles("combine_latest", signals), len(signals), queue_for("combine_latest", queue)._handle if queue is not None else None)))


@overload
def merge(a: Signal[A], b: Signal[B], /) -> Signal[A | B]: ...
@overload
def merge(a: Signal[A], b: Signal[B], c: Signal[C], /) -> Signal[A | B | C]: ...
@overload
def merge(a: Signal[A], b: Signal[B], c: Signal[C], d: Signal[D], /) -> Signal[A | B | C | D]: ...
@overload
def merge(a: Signal[A], b: Signal[B], c: Signal[C], d: Signal[D], e: Signal[E], /) -> Signal[A | B | C | D | E]: ...
@overload
def merge(*signals: Signal[T]) -> Signal[T]: ...
def merge(*signals: Signal[Any]) -> Signal[Any]:
    """Passes every value of any of them on. Completes when all have completed.

        >>> list(merge(Signal.just(1), Signal.just('a')).iterate())
        [1, 'a']

    """
    return Signal(Handle(lib.sgk_merge(_handles("merge", signals), len(signals))))


@overload
def concat(a: Signal[A], b: Signal[B], /) -> Signal[A | B]: ...
@overload
def concat(a: Signal[A], b: Signal[B], c: Signal[C], /) -> Signal[A | B | C]: ...
@overload
def concat(a: Signal[A], b: Signal[B], c: Signal[C], d: Signal[D], /) -> Signal[A | B | C | D]: ...
@overload
def concat(a: Signal[A], b: Signal[B], c: Signal[C], d: Signal[D], e: Signal[E], /) -> Signal[A | B | C | D | E]: ...
@overload
def concat(*signals: Signal[T]) -> Signal[T]: ...
def concat(*signals: Signal[Any]) -> Signal[Any]:
    """Runs them one after another, each when the one before has completed.

        >>> list(concat(Signal.range(1, 2), Signal.just('a')).iterate())
        [1, 2, 'a']

    """
    return Signal(Handle(lib.sgk_concat(_handles("concat", signals), len(signals))))


@overload
def zip(
    a: Signal[A], b: Signal[B], /, *, limit: int | None = None, overflow: Pausing = Overflow.ERROR
) -> Signal[tuple[A, B]]: ...
@overload
def zip(
    a: Signal[A], b: Signal[B], c: Signal[C], /, *, limit: int | None = None, overflow: Pausing = Overflow.ERROR
) -> Signal[tuple[A, B, C]]: ...
@overload
def zip(
    a: Signal[A], b: Signal[B], c: Signal[C], d: Signal[D], /, *, limit: int | None = None, overflow: Pausing = Overflow.ERROR
) -> Signal[tuple[A, B, C, D]]: ...
@overload
def zip(
    a: Signal[A], b: Signal[B], c: Signal[C], d: Signal[D], e: Signal[E], /, *, limit: int | None = None, overflow: Pausing = Overflow.ERROR
) -> Signal[tuple[A, B, C, D, E]]: ...
@overload
def zip(*signals: Signal[T], limit: int | None = None, overflow: Pausing = Overflow.ERROR) -> Signal[tuple[T, ...]]: ...
def zip(*signals: Signal[Any], limit: int | None = None, overflow: Pausing = Overflow.ERROR) -> Signal[tuple[Any, ...]]:
    """Emits a tuple of the first values of all signals, of the second ones, and so on. At most `limit` values of each signal are buffered (None:
    unlimited). If the buffer is full, `overflow` decides. By default the subscription fails with an OverflowedError.

    Raises ValueError unless `limit` is 1 or more, or None.

        >>> list(zip(Signal.range(1, 3), Signal.from_iterable('ab')).iterate())
        [(1, 'a'), (2, 'b')]

    """
    return Signal(Handle(_bounded(lib.sgk_zip, (_handles("zip", signals), len(signals)), _pausing_bound("zip", limit, overflow))))


@overload
def race(a: Signal[A], b: Signal[B], /) -> Signal[A | B]: ...
@overload
def race(a: Signal[A], b: Signal[B], c: Signal[C], /) -> Signal[A | B | C]: ...
@overload
def race(a: Signal[A], b: Signal[B], c: Signal[C], d: Signal[D], /) -> Signal[A | B | C | D]: ...
@overload
def race(a: Signal[A], b: Signal[B], c: Signal[C], d: Signal[D], e: Signal[E], /) -> Signal[A | B | C | D | E]: ...
@overload
def race(*signals: Signal[T]) -> Signal[T]: ...
def race(*signals: Signal[Any]) -> Signal[Any]:
    """Follows the first to send an event of any kind; the others are disposed.

        >>> list(race(Signal.never(), Signal.just(1)).iterate())
        [1]

    """
    return Signal(Handle(lib.sgk_race(_handles("race", signals), len(signals))))


@overload
def with_latest_from(other: Signal[U]) -> Function[T, tuple[T, U]]: ...
@overload
def with_latest_from(other: Signal[U], function: Callable[[T, U], V]) -> Operator[T, V]: ...
def with_latest_from(other: Signal[Any], function: Callable[[Any, Any], Any] | None = None) -> Any:
    """Emits each value with the latest one of `other`: as a tuple, or what `function(value, latest)` makes of them. Values before the first of `other`
    are dropped. It is started first, and never paused. Its completion means nothing, and its error ends the result.

        >>> list(Signal.range(1, 2).with_latest_from(Signal.just('a')).iterate())
        [(1, 'a'), (2, 'a')]

    """
    _needed.instance("with_latest_from", Signal, other)
    both = _needed.function("with_latest_from", function) if function is not None else lambda value, latest: (value, latest)
    return _applying(lambda signal: Signal(None, origin=WithLatest(signal, other, both), name=signal._name))


_methods._operators = sys.modules[__name__]
