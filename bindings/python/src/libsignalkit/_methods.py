"""The operators as methods: `signal.filter(f).map(g)` is `signal | filter(f) | map(g)`, with types.
Written by scripts/python_methods.py from operators.py."""

# mypy: disable-error-code="no-any-return, misc"

from __future__ import annotations

import asyncio
import operator as _operator
from typing import TYPE_CHECKING, Any, Callable, Generic, TypeVar, overload

from ._kinds import Event, TakeAction, Throttle

if TYPE_CHECKING:
    from .queues import Queue
    from .signal import Signal

T = TypeVar("T")
U = TypeVar("U")
V = TypeVar("V")
B = TypeVar("B")
C = TypeVar("C")
D = TypeVar("D")
E = TypeVar("E")

_operators: Any = None  # the module, which needs Signal, and says so when it is there


class Methods(Generic[T]):
    """What Signal has of the operators."""

    __slots__ = ()

    def map(self, function: Callable[[T], U]) -> Signal[U]:
        """Emits `function(value)` for each value."""
        return _operators.map(function)(self)

    def filter(self, predicate: Callable[[T], object]) -> Signal[T]:
        """Passes the values for which `predicate(value)` is true."""
        return _operators.filter(predicate)(self)

    def compact_map(self, function: Callable[[T], U | None]) -> Signal[U]:
        """Emits `function(value)` unless that is None."""
        return _operators.compact_map(function)(self)

    def before_next(self, function: Callable[[T], object]) -> Signal[T]:
        """Calls `function(value)` before a value is passed on."""
        return _operators.before_next(function)(self)

    def after_next(self, function: Callable[[T], object]) -> Signal[T]:
        """Calls `function(value)` after a value has been passed on."""
        return _operators.after_next(function)(self)

    def map_error(self, function: Callable[[BaseException], BaseException]) -> Signal[T]:
        """Fails with `function(error)` when the signal fails."""
        return _operators.map_error(function)(self)

    def ignore_values(self) -> Signal[Any]:
        """Passes only the end."""
        return _operators.ignore_values()(self)

    def distinct_until_changed(self, equal: Callable[[T, T], object]=_operator.eq) -> Signal[T]:
        """Drops a value for which `equal(last that passed, value)` is true."""
        return _operators.distinct_until_changed(equal)(self)

    def serialized(self) -> Signal[T]:
        """Passes the events of a source that emits from several threads one at a time."""
        return _operators.serialized()(self)

    def reduce(self, initial: U, function: Callable[[U, T], U]) -> Signal[U]:
        """Folds all values into one, and emits it at completion."""
        return _operators.reduce(initial, function)(self)

    def scan(self, initial: U, function: Callable[[U, T], U]) -> Signal[U]:
        """Emits every accumulated value: `function(accumulated, value)` for each value, beginning with `initial`."""
        return _operators.scan(initial, function)(self)

    def pairwise(self) -> Signal[tuple[T, T]]:
        """Emits each value but the first together with the one before it."""
        return _operators.pairwise()(self)

    def enumerated(self) -> Signal[tuple[int, T]]:
        """Emits each value together with its number, from 0 on."""
        return _operators.enumerated()(self)

    def to_array(self, limit: int | None, overflow: str='error') -> Signal[list[T]]:
        """Emits all values as one list, at completion. Of more values than `limit` (None: no bound) `overflow` says what becomes: "drop_oldest",
        "drop_newest", "keep_latest", or "error", an OverflowedError."""
        return _operators.to_array(limit, overflow)(self)

    def distinct(
        self, limit: int | None, key: Callable[[T], Any]=lambda value: value, overflow: str='drop_oldest'
    ) -> Signal[T]:
        """Passes the values whose `key(value)`, or the values that, have not come before. Of more than `limit` keys (None: no bound) `overflow` says what
        becomes: "drop_oldest" forgets the oldest, "keep_latest" all others, "drop_newest" does not remember the new one, and "error" is an
        OverflowedError."""
        return _operators.distinct(limit, key, overflow)(self)

    def to_events(self) -> Signal[Event]:
        """Makes values of the events, the end too. (`materialize` in Rx.)"""
        return _operators.to_events()(self)

    def from_events(self: Methods[Event]) -> Signal[Any]:
        """Makes events of such values: the reverse of to_events."""
        return _operators.from_events()(self)

    def take(self, count: int) -> Signal[T]:
        """Passes the first values and completes right after the last of them."""
        return _operators.take(count)(self)

    def take_until(self, until: Callable[[T], TakeAction]) -> Signal[T]:
        """Asks `until(value)` whether a value passes, and whether the end comes."""
        return _operators.take_until(until)(self)

    def take_last(self, count: int=1) -> Signal[T]:
        """Emits the last values, or as many as there were, at completion."""
        return _operators.take_last(count)(self)

    def last(self) -> Signal[T | None]:
        """Emits the last value, or None if there was none, at completion."""
        return _operators.last()(self)

    def take_while(self, predicate: Callable[[T], object]) -> Signal[T]:
        """Passes the values as long as `predicate(value)` is true, and completes at the first for which it is not, which is dropped."""
        return _operators.take_while(predicate)(self)

    def skip(self, count: int) -> Signal[T]:
        """Drops the first values and passes the rest."""
        return _operators.skip(count)(self)

    def skip_while(self, predicate: Callable[[T], object]) -> Signal[T]:
        """Drops the values as long as `predicate(value)` is true; the first for which it is not, and all that follow, pass."""
        return _operators.skip_while(predicate)(self)

    def first_or(self, value: T) -> Signal[T]:
        """Passes the first value and completes right after it; emits `value` when the signal completes without one."""
        return _operators.first_or(value)(self)

    def skip_until_signal(self, until: Signal[Any]) -> Signal[T]:
        """Drops the values until `until` has emitted one. It is started first; its completion means nothing, its error ends the result."""
        return _operators.skip_until_signal(until)(self)

    def take_until_signal(self, until: Signal[Any]) -> Signal[T]:
        """Passes the values until `until` emits one, and completes then. It is started first; its completion means nothing, its error ends the result."""
        return _operators.take_until_signal(until)(self)

    def before_started(self, function: Callable[[], object]) -> Signal[T]:
        """Calls `function()` for each start, before the signal is started."""
        return _operators.before_started(function)(self)

    def before_error(self, function: Callable[[BaseException], object]) -> Signal[T]:
        """Calls `function(error)` before the error is passed on."""
        return _operators.before_error(function)(self)

    def before_completed(self, function: Callable[[], object]) -> Signal[T]:
        """Calls `function()` before completion is passed on."""
        return _operators.before_completed(function)(self)

    def after_completed(self, function: Callable[[], object]) -> Signal[T]:
        """Calls `function()` after completion has been passed on. What it raises goes to the log."""
        return _operators.after_completed(function)(self)

    def after_disposed(self, function: Callable[[], object]) -> Signal[T]:
        """Calls `function()` once for each run when it is torn down. What it raises then goes to the log."""
        return _operators.after_disposed(function)(self)

    def named(self, name: str) -> Signal[T]:
        """Gives the signal a name: an error of a run of it, or of what other operators make of it, that nobody handles goes to the log with it. Of
        several names the last one stands."""
        return _operators.named(name)(self)

    def trace(self, name: str) -> Signal[T]:
        """Writes a line to the log of the library (stderr) for whatever happens to a run."""
        return _operators.trace(name)(self)

    def switch_to_latest(self: Methods[Signal[U]]) -> Signal[U]:
        """Follows the latest inner signal."""
        return _operators.switch_to_latest()(self)

    def queued(self: Methods[Signal[U]]) -> Signal[U]:
        """Runs the inner signals one after another."""
        return _operators.queued()(self)

    def throttled(self: Methods[Signal[U]]) -> Signal[U]:
        """Runs one inner signal after another; of those that arrive while one runs only the latest is kept."""
        return _operators.throttled()(self)

    def take_until_replacement(self, replacement: Signal[Signal[T]]) -> Signal[T]:
        """Passes the signal on until `replacement` emits another one, which takes its place."""
        return _operators.take_until_replacement(replacement)(self)

    def map_to_signal(self, function: Callable[[T], Signal[U]]) -> Signal[U]:
        """Follows the signal that `function(value)` returns for the latest value."""
        return _operators.map_to_signal(function)(self)

    def map_to_queue(self, function: Callable[[T], Signal[U]]) -> Signal[U]:
        """Runs the signals that `function(value)` returns one after another."""
        return _operators.map_to_queue(function)(self)

    def map_to_throttled(self, function: Callable[[T], Signal[U]]) -> Signal[U]:
        """As map_to_queue; of the signals that arrive while one runs only the latest is kept."""
        return _operators.map_to_throttled(function)(self)

    def merged(
        self: Methods[Signal[U]], limit: int | None, waiting: int | None, overflow: str='error'
    ) -> Signal[U]:
        """Runs the inner signals at the same time, at most `limit` of them. Those that find no place wait, at most `waiting`; what comes then goes by
        `overflow`, by default the run fails with an OverflowedError. None is no limit."""
        return _operators.merged(limit, waiting, overflow)(self)

    def map_to_merged(
        self, function: Callable[[T], Signal[U]], limit: int | None, waiting: int | None, overflow: str='error'
    ) -> Signal[U]:
        """As merged, of the signals that `function(value)` returns."""
        return _operators.map_to_merged(function, limit, waiting, overflow)(self)

    def map_to_first(self, function: Callable[[T], Signal[U]]) -> Signal[U]:
        """Runs the signal that `function(value)` returns, unless one runs already: then the value is dropped."""
        return _operators.map_to_first(function)(self)

    def map_to_signal_per(
        self, key: Callable[[T], Any], function: Callable[[T], Signal[U]], limit: int | None,
        overflow: str='error'
    ) -> Signal[U]:
        """Follows, for each `key(value)`, the signal that `function` returns for the latest value of that key; those of different keys run at the same
        time. Of more than `limit` keys (None: no bound) `overflow` says what becomes: "drop_oldest" disposes the signal that was started before all
        others, "keep_latest" all of them, "drop_newest" does not start the new one, and "error" is an OverflowedError."""
        return _operators.map_to_signal_per(key, function, limit, overflow)(self)

    def grouped_by(
        self, key: Callable[[T], Any], pipeline: Callable[[Any, Signal[T]], Signal[U]], limit: int | None,
        overflow: str='error'
    ) -> Signal[U]:
        """Sorts the values by `key(value)`. With the first value of a key `pipeline(key, values)` makes the signal of that group, which is started at
        once, and whose values are merged into the result; what it does not listen to goes nowhere. A group is over when its pipeline completes, or the
        source does, which completes `values`. Of more than `limit` groups (None: no bound) `overflow` says what becomes: "drop_oldest" completes the
        values of the oldest, "keep_latest" those of all, "drop_newest" drops the value, and "error" is an OverflowedError."""
        return _operators.grouped_by(key, pipeline, limit, overflow)(self)

    def then(self, next: Signal[T]) -> Signal[T]:
        """When the signal has completed, goes on with `next`."""
        return _operators.then(next)(self)

    def catch(self, function: Callable[[BaseException], Signal[T]]) -> Signal[T]:
        """When the signal fails, goes on with the signal that `function(error)` returns."""
        return _operators.catch(function)(self)

    def catch_and_return(self, value: T) -> Signal[T]:
        """When the signal fails, emits `value` and completes instead."""
        return _operators.catch_and_return(value)(self)

    def start_with(self, *values: T) -> Signal[T]:
        """Emits the values inside the start, before the signal is started."""
        return _operators.start_with(*values)(self)

    def end_with(self, *values: T) -> Signal[T]:
        """Emits the values when the signal has completed."""
        return _operators.end_with(*values)(self)

    def switch_if_empty(self, other: Signal[T]) -> Signal[T]:
        """Goes on with `other` if the signal completes without a value."""
        return _operators.switch_if_empty(other)(self)

    def default_if_empty(self, value: T) -> Signal[T]:
        """Emits `value` if the signal completes without one."""
        return _operators.default_if_empty(value)(self)

    def repeat(self, count: int) -> Signal[T]:
        """Runs the signal so many times, each after the completion of the one before, until it fails."""
        return _operators.repeat(count)(self)

    def restart(self) -> Signal[T]:
        """Starts the signal again each time it has completed."""
        return _operators.restart()(self)

    def restart_if_error(self) -> Signal[T]:
        """Starts the signal again each time it has failed, at once."""
        return _operators.restart_if_error()(self)

    def retry_if(self, predicate: Callable[[BaseException], object]) -> Signal[T]:
        """When the signal fails, starts it again at once if `predicate(error)` is true."""
        return _operators.retry_if(predicate)(self)

    def retry(
        self, delay_increment: float, max_delay: float, queue: Queue,
        on_error: Callable[[BaseException], object] | None=None, max_retries: int=-1, reset_on_value: bool=False
    ) -> Signal[T]:
        """When the signal fails, waits and starts it again, on `queue`: each wait is longer by `delay_increment` seconds, up to `max_delay`. With `on_error`
        only after errors for which that is true; with `max_retries` there are so many attempts in all."""
        return _operators.retry(delay_increment, max_delay, queue, on_error, max_retries, reset_on_value)(self)

    def retry_backoff(
        self, attempts: int, queue: Queue, initial: float=1, factor: float=2, max: float=60, jitter: float=0,
        seed: int=0, reset_on_value: bool=False
    ) -> Signal[T]:
        """When the signal fails, waits and starts it again, on `queue`: `initial` seconds, then `factor` times as long each time, up to `max`; longer or
        shorter by chance, by up to the part `jitter`, which a `seed` makes the same in each run. There are so many `attempts` in all, -1 is without limit."""
        return _operators.retry_backoff(attempts, queue, initial, factor, max, jitter, seed, reset_on_value)(self)

    def retry_when(self, function: Callable[[BaseException, int], Signal[Any]]) -> Signal[T]:
        """When the signal fails, starts it again at the first value of the signal that `function(error, number of the failure)` returns. If that fails, so does
        the result; if it completes without a value, the result fails with the signal's error."""
        return _operators.retry_when(function)(self)

    def deliver_on(self, target: Queue | asyncio.AbstractEventLoop) -> Signal[T]:
        """Delivers every event on a queue, or on the thread of an asyncio loop, in order, one at a time. About loops see aio.deliver_on."""
        return _operators.deliver_on(target)(self)

    def run_on(self, queue: Queue) -> Signal[T]:
        """Starts the signal on `queue`."""
        return _operators.run_on(queue)(self)

    def delay(self, seconds: float, queue: Queue) -> Signal[T]:
        """Delays the start, not the events: the signal is started on `queue` after some seconds."""
        return _operators.delay(seconds, queue)(self)

    def suspend_aware_delay(self, seconds: float, granularity: float, queue: Queue) -> Signal[T]:
        """As delay, but time during which the system sleeps counts."""
        return _operators.suspend_aware_delay(seconds, granularity, queue)(self)

    def throttle(self, seconds: float, queue: Queue, edges: Throttle=Throttle.BOTH) -> Signal[T]:
        """Emits a value at once and then at most one every so many seconds, the latest, on `queue`; or what else `edges` says."""
        return _operators.throttle(seconds, queue, edges)(self)

    def debounce(self, seconds: float, queue: Queue) -> Signal[T]:
        """Emits a value when no other has followed it for so many seconds, on `queue`."""
        return _operators.debounce(seconds, queue)(self)

    def timeout(self, seconds: float, alternate: Signal[T], queue: Queue) -> Signal[T]:
        """Goes on with `alternate` when nothing has come within so many seconds."""
        return _operators.timeout(seconds, alternate, queue)(self)

    def chunked(self, count: int, seconds: float | None=None, queue: Queue | None=None) -> Signal[tuple[T, ...]]:
        """Emits the values in tuples of `count`; completion first emits those that are left, an error drops them. With `seconds` also of fewer, on `queue`,
        when so many have gone by since the first of them came."""
        return _operators.chunked(count, seconds, queue)(self)

    def chunked_by(self, boundary: Signal[Any], limit: int) -> Signal[tuple[T, ...]]:
        """Emits the values in tuples, one for each value of `boundary`, if any came since the last one; earlier when there are `limit`."""
        return _operators.chunked_by(boundary, limit)(self)

    def delay_each(self, seconds: float, queue: Queue, limit: int, overflow: str='error') -> Signal[T]:
        """Emits each value, and the completion, so many seconds after it has come, on `queue`; an error at once. Of more values than `limit` that wait
        `overflow` says what becomes: "drop_oldest", "drop_newest", "keep_latest", or "error", an OverflowedError."""
        return _operators.delay_each(seconds, queue, limit, overflow)(self)

    def timeout_between(self, seconds: float, alternate: Signal[T], queue: Queue) -> Signal[T]:
        """Goes on with `alternate` when so many seconds go by without an event: before the first, or between any two."""
        return _operators.timeout_between(seconds, alternate, queue)(self)

    def timestamped(self, queue: Queue) -> Signal[tuple[float, T]]:
        """Emits tuples of the time at which a value comes, in seconds of the queue's clock, and the value."""
        return _operators.timestamped(queue)(self)

    def time_interval(self, queue: Queue) -> Signal[tuple[float, T]]:
        """Emits tuples of the seconds since the value before, or since the start, and the value."""
        return _operators.time_interval(queue)(self)

    def take_for(self, seconds: float, queue: Queue) -> Signal[T]:
        """Passes what comes within so many seconds, then completes, on `queue`."""
        return _operators.take_for(seconds, queue)(self)

    def sample(self, by: Signal[Any] | float, queue: Queue | None=None) -> Signal[T]:
        """Emits the latest value at each value of a signal, or every so many seconds on `queue`, if it has come since the last one; and at completion."""
        return _operators.sample(by, queue)(self)

    def multicast(self) -> Signal[T]:
        """Shares one run among all who listen at the same time."""
        return _operators.multicast()(self)

    def share(self, replay: int=0, keep: float=0.0, queue: Queue | None=None) -> Signal[T]:
        """Shares one run among all who listen; a later one gets the latest `replay` values first.

        `keep`: for how many seconds of `queue` it goes on when nobody listens; `math.inf`: as long as somebody has the shared signal."""
        return _operators.share(replay, keep, queue)(self)

    @overload
    def combine_latest(self, b: Signal[B], /, *, queue: Queue | None=None) -> Signal[tuple[T, B]]: ...

    @overload
    def combine_latest(
        self, b: Signal[B], c: Signal[C], /, *, queue: Queue | None=None
    ) -> Signal[tuple[T, B, C]]: ...

    @overload
    def combine_latest(
        self, b: Signal[B], c: Signal[C], d: Signal[D], /, *, queue: Queue | None=None
    ) -> Signal[tuple[T, B, C, D]]: ...

    @overload
    def combine_latest(
        self, b: Signal[B], c: Signal[C], d: Signal[D], e: Signal[E], /, *, queue: Queue | None=None
    ) -> Signal[tuple[T, B, C, D, E]]: ...

    @overload
    def combine_latest(self, *signals: Signal[T], queue: Queue | None=None) -> Signal[tuple[T, ...]]: ...

    def combine_latest(self, *signals: Signal[Any], queue: Queue | None=None) -> Signal[tuple[Any, ...]]:
        """Emits a tuple of the latest values of all for each value of any of them, once every one has emitted."""
        return _operators.combine_latest(self, *signals, queue=queue)

    def merge(self, *signals: Signal[T]) -> Signal[T]:
        """Passes every value of any of them on. Completes when all have completed."""
        return _operators.merge(self, *signals)

    def concat(self, *signals: Signal[T]) -> Signal[T]:
        """Runs them one after another, each when the one before has completed."""
        return _operators.concat(self, *signals)

    @overload
    def zip(self, b: Signal[B], /, *, limit: int | None, overflow: str='error') -> Signal[tuple[T, B]]: ...

    @overload
    def zip(
        self, b: Signal[B], c: Signal[C], /, *, limit: int | None, overflow: str='error'
    ) -> Signal[tuple[T, B, C]]: ...

    @overload
    def zip(
        self, b: Signal[B], c: Signal[C], d: Signal[D], /, *, limit: int | None, overflow: str='error'
    ) -> Signal[tuple[T, B, C, D]]: ...

    @overload
    def zip(
        self, b: Signal[B], c: Signal[C], d: Signal[D], e: Signal[E], /, *, limit: int | None,
        overflow: str='error'
    ) -> Signal[tuple[T, B, C, D, E]]: ...

    @overload
    def zip(self, *signals: Signal[T], limit: int | None, overflow: str='error') -> Signal[tuple[T, ...]]: ...

    def zip(self, *signals: Signal[Any], limit: int | None, overflow: str='error') -> Signal[tuple[Any, ...]]:
        """Emits a tuple of the first values of all, of the second ones, and so on. Of each at most `limit` values wait for those of the others (None: any
        number); what comes then goes by `overflow`, by default the run fails with an OverflowedError."""
        return _operators.zip(self, *signals, limit=limit, overflow=overflow)

    def race(self, *signals: Signal[T]) -> Signal[T]:
        """Follows the first to send an event of any kind; the others are disposed."""
        return _operators.race(self, *signals)

    def with_latest_from(self, other: Signal[U], function: Callable[[T, U], Any] | None=None) -> Signal[Any]:
        """Emits each value with the latest one of `other`: as a tuple, or what `function(value, latest)` makes of them. Values before the first of `other`
        are dropped. It is started first; its completion means nothing, its error ends the result."""
        return _operators.with_latest_from(other, function)(self)
