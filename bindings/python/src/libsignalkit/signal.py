"""Signals: cold streams of values."""

from __future__ import annotations

import asyncio
import collections.abc
import threading
from functools import partial
from textwrap import indent
from typing import Any, AsyncIterable, Awaitable, Callable, Iterable, NoReturn, TypeVar

from . import _library as library
from . import _needed, _values
from ._contexts import DESTROY, contexts, given, register, unhandled
from ._elements import Elements
from ._iteration import Values, awaiting, first_of, iterating
from ._kinds import Overflow, Waiting
from ._library import ENDED, Handle, Unique, callback, checked, lib, not_made_of
from ._loops import as_work_of
from ._methods import Methods
from ._needed import Seconds
from ._pressure import Reading, ask_to_wait
from ._reading import Reader
from ._runs import Callbacks, LibrarysCallbacks, Origin, PausingCallbacks, Relay, governed, governing, relay_made, stop
from ._stages import NAMES, Stages, in_one_line
from ._subscriber import Pause, Subscriber
from ._values import passing, passing_error
from .disposable import Disposable, disposable_handle
from .queues import QueueLike, queue_for

__all__ = ["Generator", "Signal"]

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
U = TypeVar("U")
V = TypeVar("V")

Fail = Callable[[BaseException], None]


Generator = Callable[[Subscriber[T]], "Disposable | Callable[[], object] | None"]


def _generate(context: int, subscriber: int) -> int:
    made: int = contexts[context](subscriber)
    return made


def _generator_failed(error: BaseException, context: int, subscriber: int) -> int:
    if passing_error(lib.sgk_subscriber_error, subscriber)(error) == ENDED:
        unhandled("a generator", error)
    return 0


def _defer(context: int) -> int:
    return retained(contexts[context]())


def failing(error: BaseException, *arguments: object) -> int:
    """A signal that fails, for the library to own."""
    return checked(passing_error(lib.sgk_signal_fail)(error))


_making = threading.Lock()
_GENERATOR = callback(library.GeneratorFn, _generate, _generator_failed)
_DEFERRED = callback(library.DeferredFn, _defer, failing)


def _generated(generate: Callable[[int], int]) -> Handle:
    """A signal of the library's whose starts call `generate(subscriber)`, which returns a handle that becomes the library's."""
    return Handle(lib.sgk_signal_create(_GENERATOR, register(generate), DESTROY))


def _with_name(made: Handle, name: str) -> Handle:
    """For tools that observe a program from outside."""
    return Handle(lib.sgk_signal_named(made._handle, _needed.text("named", name)))


class Signal(Unique, Methods[T_co]):
    """A description of a stream of values. Each start creates a new subscription. Immutable; `signal | operator` creates another signal.

    Stages that do not need the library (map, filter, …) are stored as they are, until the signal is started or a library stage follows them."""

    __slots__ = ("_made", "_make", "_stages", "_origin", "_name", "_whole", "__weakref__")

    def __init__(
        self,
        made: Handle | None,
        stages: Stages = Stages(),
        make: Callable[[Fail], int] | None = None,
        origin: Origin | None = None,
        name: str | None = None,
    ) -> None:
        if type(made) is not Handle and (made is not None or not make and not origin):
            raise not_made_of(Signal, made)
        self._made = made  # the library's signal before the stages,
        self._make = make  # or the function that creates it for each subscription, from a function that fails it
        self._stages = stages
        self._origin = origin  # or a source of Python's
        self._name = name  # the name of its subscriptions in messages
        self._whole: Handle | None = None  # a signal of the library's with the stages

    def __copy__(self) -> Signal[T_co]:
        return self

    def __deepcopy__(self, memo: object) -> Signal[T_co]:
        return self

    def describe(self) -> str:
        """The pipeline: a stage in each line, from the end to the sources."""
        text = self._described()
        for name in self._stages.names:
            text = name + "\n" + indent(text, "  ")
        return text

    def __repr__(self) -> str:
        """Returns the pipeline in one line: `<Signal: range 0, 3 | filter | take 2>`. Combined sources are in parentheses."""
        return f"<{type(self).__name__}: {' | '.join([in_one_line(self._described()), *self._stages.names])}>"

    def _described(self) -> str:
        """Returns the description of the source before the stages."""
        if not self._made:
            return type(self._origin).__name__.lower() if self._origin else "made for each run"
        described = lib.sgk_signal_describe(self._made._handle, 0)
        text = str(_values.decode(described.kind, described.bits)).rstrip()
        lib.sgk_value_release(described.kind, described.bits)
        return text

    # ---- Making ----

    @staticmethod
    def create(generator: Generator[U]) -> Signal[U]:
        """A signal that calls `generator(subscriber)` for each start. It returns what stops the source: a Disposable, a function, or None."""

        _needed.function("Signal.create", generator)

        def generate(subscriber: int) -> int:
            return disposable_handle(generator(Subscriber._of(subscriber)))

        return Signal(_generated(generate))

    @staticmethod
    def deferred(factory: Callable[[], Signal[U]]) -> Signal[U]:
        """A signal that calls `factory()` for each start, and behaves as what that returns."""
        return Signal(Handle(lib.sgk_signal_deferred(_DEFERRED, register(_needed.function("Signal.deferred", factory)), DESTROY)))

    @staticmethod
    def just(value: U) -> Signal[U]:
        """Emits one value and completes.

            >>> Signal.just(1).get()
            1

        """
        return Signal(Handle(passing(lib.sgk_signal_just)(value)))

    @staticmethod
    def empty() -> Signal[NoReturn]:
        """Completes at once.

            >>> run = Signal.empty().start(on_completed=lambda: print('completed'))
            completed

        """
        return Signal(Handle(lib.sgk_signal_empty()))

    @staticmethod
    def fail(error: BaseException) -> Signal[NoReturn]:
        """Fails at once. The signal keeps the exception; an exception that was raised, by `get` for instance, keeps the frames that it went through, and
        so what they know: where that is this signal, neither goes until `error.__traceback__ = None`."""
        return Signal(Handle(passing(lib.sgk_signal_fail)(error)))

    @staticmethod
    def never() -> Signal[NoReturn]:
        """Emits nothing and never ends.

            >>> Signal.never()
            <Signal: never>

        """
        return Signal(Handle(lib.sgk_signal_never()))

    @staticmethod
    def from_iterable(iterable: Iterable[U]) -> Signal[U]:
        """Emits the elements inside each start while the subscription is active, and completes. If the buffer of an `async for` on this thread is full,
        emission continues from the loop when there is space."""

        return Signal(None, origin=Elements(_needed.iterable("from_iterable", iterable)))

    @staticmethod
    def range(first: int, count: int) -> Signal[int]:
        """Emits `count` consecutive numbers inside each start while the subscription is active, and completes.

        Raises ValueError unless `count` is 0 or more.

            >>> list(Signal.range(5, 3).iterate())
            [5, 6, 7]

        """
        return Signal(Handle(given(lib.sgk_signal_range)(first, count)))

    @staticmethod
    def interval(seconds: Seconds, *, queue: QueueLike = None) -> Signal[int]:
        """Emits 0, 1, 2 … on `queue`, n at (n + 1) * seconds after the start. Numbers whose time passes during a delivery are skipped.

        Raises ValueError unless `seconds` is finite and more than 0.
        """
        return Signal(Handle(given(lib.sgk_signal_interval)(_needed.seconds("interval", seconds), queue_for("interval", queue)._handle)))

    @staticmethod
    def timer(seconds: Seconds, *, queue: QueueLike = None) -> Signal[int]:
        """Emits 0 on `queue` after `seconds`, and completes.

        Raises ValueError unless `seconds` is 0 or more.

            >>> Signal.timer(0.001).get()
            0

        """
        return Signal(Handle(given(lib.sgk_signal_timer)(_needed.seconds("timer", seconds), queue_for("timer", queue)._handle)))

    @staticmethod
    def from_async_iterable(
        source: AsyncIterable[U] | Callable[[], AsyncIterable[U]], loop: asyncio.AbstractEventLoop | None = None
    ) -> Signal[U]:
        """Each start iterates in a task of the loop (default: the loop that runs when the signal is created) and emits there. Disposal cancels the task. If
        the argument is a function, each start iterates over its result. A generator can be iterated over only once. If the buffer of an `async for` on
        that loop is full, the task waits for it."""
        return Signal.create(iterating("from_async_iterable", source, loop))

    @staticmethod
    def from_coroutine(function: Callable[[], Awaitable[U]], loop: asyncio.AbstractEventLoop | None = None) -> Signal[U]:
        """Each start awaits `function()` in a task of the loop (default: the loop that runs when the signal is created), and emits the result. Disposal
        cancels the task.

            >>> async def main() -> None: print(await Signal.from_coroutine(lambda: asyncio.sleep(0, 'result')))
            >>> import asyncio; asyncio.run(main())
            result

        """
        return Signal.create(awaiting("from_coroutine", function, loop))

    # ---- Starting ----

    def start(
        self,
        on_next: Callable[[T_co], object] | None = None,
        *,
        on_error: Callable[[BaseException], object] | None = None,
        on_completed: Callable[[], object] | None = None,
    ) -> Disposable:
        """Starts a subscription, which the returned object disposes. Callbacks run on the emitting thread, or where the last operator delivers.

        An exception in a stage or in `on_next` fails the subscription, and `on_error` receives it. Without `on_error`, errors are logged."""
        if on_next is not None:
            _needed.function("start", on_next)
        if on_error is not None:
            _needed.function("start", on_error)
        if on_completed is not None:
            _needed.function("start", on_completed)
        return self._start(Callbacks(on_next, on_error, on_completed, self._stages, self._name), self._made, self._make)

    def _start_reading(self, buffer: Reading, *callbacks: Callable[..., object]) -> Disposable:
        """The same for a receiver that pauses the run, whose `known` gets it inside the start if it is one of the library. If a loop is running on this
        thread, a source that emits in a loop continues there after a pause."""
        made, make, loop = self._made, self._make, asyncio._get_running_loop()
        receiver = PausingCallbacks(buffer, *callbacks, self._stages, self._name)
        if isinstance(buffer, Pause):  # as a Relay starts its source
            return self._start(receiver, made, make)
        start = partial(self._start, receiver, made and Handle(governed(made._handle)), make and governing(make))
        return start() if self._origin or not loop else as_work_of(loop, start)

    def _start(self, callbacks: Callbacks, made: Handle | None, make: Callable[[Fail], int] | None) -> Disposable:
        if not self._origin:
            return callbacks.start(made, make)
        self._origin.add(callbacks)
        return callbacks

    # ---- Waiting ----

    def get(self, timeout: Seconds | None = None) -> T_co:
        """Starts the signal and blocks until its first value. Raises its error, NoValueError if it completes without a value, or TimeoutError. See
        Reader for the threads that may wait.

        Raises ValueError unless `timeout` is 0 or more, or None.
        """
        one = self._take_one()
        if timeout is not None:  # a source that releases its subscriber does not end the wait
            timeout = _needed.timeout("get", timeout)
            silence = Handle(lib.sgk_pipe_create())
            one = one._through("signal_take_until", Handle(lib.sgk_pipe_signal(silence._handle))._handle)
        reader = one.iterate(1, Overflow.LATEST, timeout)
        del self, one  # A raised exception retains the frames that it passes, and a signal that fails with it retains the exception.
        with reader:
            return reader.next(reader._timeout)

    def iterate(self, limit: int = 1024, overflow: Waiting = Overflow.WAIT, timeout: Seconds | None = None) -> Reader[T_co]:
        """Starts the signal and returns a reader that blocks for each value: `for value in signal.iterate()`. At most `limit` values are buffered. If
        the buffer is full, `overflow` decides. "wait" blocks the emitting thread, except the reading thread itself. "pause" pauses the source, and a source
        that cannot pause exceeds the limit. "drop_oldest" and "latest" drop
        buffered values, "drop_newest" drops the new one, and "error" ends with an OverflowedError. `timeout` is the limit in seconds for each value:
        TimeoutError.

        Raises ValueError unless `limit` is 1 or more, and `timeout` is 0 or more, or None.
        """
        return Reader(self, limit, overflow, timeout)

    # ---- asyncio ----

    def values(self, limit: int = 1024, overflow: Waiting = Overflow.WAIT) -> Values[T_co]:
        """The values as an asynchronous iterator: see aio.Values.

        Raises ValueError unless `limit` is 1 or more.
        """
        return Values(self, limit, overflow)

    def __aiter__(self) -> Values[T_co]:
        return self.values()

    def first(self) -> Awaitable[T_co]:
        """`await signal.first()`: returns the first value, or raises the error or NoValueError. Cancellation disposes the subscription."""
        return first_of(self._take_one())

    def __await__(self) -> collections.abc.Generator[Any, None, T_co]:
        """`await signal` is `await signal.first()`."""
        return self.first().__await__()

    # ---- Pipelines ----

    def __or__(self, operator: Callable[[Signal[T_co]], U]) -> U:
        if not callable(operator):
            return NotImplemented
        return operator(self)

    def _with(self, kind: str, function: Callable[..., Any]) -> Signal[Any]:
        """Returns the signal with one more stage."""
        _needed.function(NAMES[kind], function)
        return Signal(self._made, self._stages.plus(kind, function), self._make, self._origin, self._name)

    def _with_state(self, kind: str, make: Callable[[], Callable[..., Any]]) -> Signal[Any]:
        """Returns the signal with one more stage, whose function `make()` creates for each subscription. The function receives one value at a time, as
        from a source in Python."""
        serial = self if self._origin or self._stages.has_state else self._through("signal_serialized")
        return Signal(serial._made, serial._stages.plus(kind, make), serial._make, serial._origin, serial._name)

    def _named(self, name: str) -> Signal[T_co]:
        made = _with_name(self._made, name) if self._made and not self._stages.kinds else self._made
        return Signal(made, self._stages, self._make, self._origin, name)

    def _through(self, name: str, *arguments: Any) -> Signal[Any]:
        """With an operator of the library's."""
        create = given(getattr(lib, "sgk_" + name))
        return Signal(Handle(create(self._signal_handle(), *arguments)), name=self._name)

    def _take_one(self) -> Signal[T_co]:
        return self._through("signal_take", 1)

    def _signal_handle(self, blocks: bool = False) -> int:
        """A signal of the library's that is this one; borrowed. With `blocks`, its stages emit without the GIL. The first call decides."""
        if self._made and not self._stages.kinds:
            return self._made._handle
        if not self._whole:
            made, make, stages, origin = self._made, self._make, self._stages, self._origin

            def generate(subscriber: int) -> int:
                if origin:
                    below: Subscriber[Any] = Subscriber._of(subscriber, stop, _waiting, blocks)
                    listening = LibrarysCallbacks(below, stages)
                    origin.add(listening)
                    return disposable_handle(listening.dispose)
                relay = Relay(subscriber, stages, blocks)
                return relay_made(relay, made, make)

            whole = _with_name(_generated(generate), self._name) if self._name else _generated(generate)
            with _making:  # of several threads the first one's stays
                self._whole = self._whole or whole
        return self._whole._handle


def _waiting(asked: Pause) -> None:
    """Pauses the source of a value: one in Python, or one of the library behind an operator of Python's."""
    ask_to_wait(asked)
    asked.pull()


_values.set_signal_wrapper(Signal, lambda handle: Signal(Handle(handle)))


def retained(signal: Signal[Any]) -> int:
    """Returns a new reference for the library."""
    _needed.instance("what maps to signals", Signal, signal)
    return checked(lib.sgk_retain(signal._signal_handle()))
