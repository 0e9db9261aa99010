"""Signals and asyncio."""

from __future__ import annotations

import asyncio
import ctypes
import threading
from collections import deque
from contextlib import contextmanager
from typing import Any, AsyncIterable, AsyncIterator, Awaitable, Callable, Generic, Iterator, TypeVar

from . import _library as library
from ._contexts import contexts, destroy_callback, register, unhandled
from ._library import UsageError, lib, succeeded
from ._pressure import Full, ask_to_wait, can_wait, emitting, when_all_have_room
from ._runs import Stop
from .disposable import Disposable
from .queues import Queue
from .signal import NoValueError, Signal, Subscriber

T = TypeVar("T")


class LoopClosedError(RuntimeError):
    """An asyncio loop was closed before these events were delivered on it; the second argument is how many."""


class OverflowedError(RuntimeError):
    """More values have come than an asynchronous iterator may keep."""


# ---- Onto a loop ----

_AT_ONCE = 256


class _Wakeup:
    """The call that a loop was asked for. A loop that is closed drops it."""

    __slots__ = ("_hop", "_called")

    def __init__(self, hop: _Hop) -> None:
        self._hop = hop
        self._called = False

    def __call__(self) -> None:
        self._called = True
        self._hop.drain()

    def __del__(self) -> None:
        if not self._called:
            self._hop.abandon()


class _Hop:
    """Events on their way to a loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop, subscriber: Subscriber[Any]) -> None:
        self._loop = loop
        self._subscriber = subscriber
        self._lock = threading.Lock()
        self._events: deque[tuple[Callable[[Any], bool], Any]] = deque()
        self._asked = False
        self._closed = False

    def put(self, deliver: Callable[[Any], bool], value: Any) -> bool:
        """False when nobody listens any more."""
        with self._lock:
            if self._closed:
                return False
            self._events.append((deliver, value))
            if self._asked:
                return True
            self._asked = True
        self._ask()
        return True

    def _ask(self) -> None:
        wakeup = _Wakeup(self)
        try:
            self._loop.call_soon_threadsafe(wakeup)
        except RuntimeError:  # the loop is closed, and `wakeup` tells
            pass

    def drain(self) -> None:
        """On the loop: delivers what has come by now, or a part of it; then the loop does its other work first. Waits for a reader without room."""
        with emitting() as full:
            for _ in range(min(len(self._events), _AT_ONCE)):
                try:
                    deliver, value = self._events.popleft()
                except IndexError:  # disposed meanwhile
                    break
                if not deliver(value):  # the run is over
                    self.dispose()
                if full:
                    break
        if full:
            return when_all_have_room(full, _Wakeup(self))
        with self._lock:
            self._asked = bool(self._events)
        if self._asked:
            self._ask()

    def abandon(self) -> None:
        """The loop will not call any more."""
        with self._lock:
            lost = len(self._events)
            self._closed = True
            self._events.clear()
        if lost:  # unless they were disposed of
            self._subscriber.error(LoopClosedError(f"the loop was closed with {lost} events on their way to it", lost))

    def dispose(self) -> None:
        with self._lock:
            self._closed = True
            self._events.clear()


def deliver_on(loop: asyncio.AbstractEventLoop) -> Callable[[Signal[T]], Signal[T]]:
    """Delivers every event on the loop's thread, in order, never inline. Disposal drops what is on its way.

    When the loop is closed before what is on its way has been delivered, the run ends with a LoopClosedError, which says how many events that were,
    on the thread that closed the loop; and so it does, on the emitting thread, when an event comes later. A loop that is only stopped keeps them
    until it runs again."""
    if not isinstance(loop, asyncio.AbstractEventLoop):
        raise TypeError(f"deliver_on needs a Queue or an asyncio loop, not {type(loop).__name__}")

    def apply(signal: Signal[T]) -> Signal[T]:
        def generate(subscriber: Subscriber[T]) -> Disposable:
            hop = _Hop(loop, subscriber)

            def receive(value: T) -> None:
                if not hop.put(subscriber.next, value):
                    raise Stop  # a source that emits in a loop ends here

            run = signal.start(
                receive,
                lambda error: hop.put(subscriber.error, error),
                lambda: hop.put(lambda _: subscriber.complete(), None),
            )

            def dispose() -> None:
                hop.dispose()
                run.dispose()

            return Disposable.action(dispose)

        return Signal.create(generate)

    return apply


# ---- A queue on a loop ----


class _Job:
    """Work of the library's: done, or let go when the loop drops it."""

    __slots__ = ("_work", "_context", "_destroy")

    def __init__(self, work: int, context: int, destroy: int) -> None:
        self._work, self._context, self._destroy = work, context, destroy

    def __call__(self) -> None:
        library.NativeWork(self._work)(self._context)

    def __del__(self) -> None:
        library.NativeWork(self._destroy)(self._context)


def _async(context: int, work: int, work_context: int, destroy: int) -> int:
    job = _Job(work, work_context, destroy)
    loop: asyncio.AbstractEventLoop = contexts[context]
    try:
        loop.call_soon_threadsafe(job)
    except RuntimeError:  # it is closed, and the job let go
        return library.ENDED
    return 0


def _after(context: int, seconds: float, work: int, work_context: int, destroy: int) -> int:
    job = _Job(work, work_context, destroy)
    loop: asyncio.AbstractEventLoop = contexts[context]
    try:
        loop.call_soon_threadsafe(loop.call_later, seconds, job)
    except RuntimeError:
        return library.ENDED
    return 0


_table = library.QueueTable(
    ctypes.sizeof(library.QueueTable), library.AsyncFn(_async), None, library.AfterFn(_after), None, None, destroy_callback
)


def loop_queue(loop: asyncio.AbstractEventLoop | None = None) -> Queue:
    """A serial queue whose work, timers too, runs on an asyncio loop, by default the one that runs: for `throttle`, `timeout`, `Timer` and all that
    takes a queue. What is asked of a loop that is closed is dropped, and counted by `dropped`; `deliver_on(loop)` tells of it by an error."""
    return Queue._of(lib.sgk_queue_create_custom(ctypes.addressof(_table), register(loop or asyncio.get_running_loop())))


@contextmanager
def main_queue(loop: asyncio.AbstractEventLoop | None = None) -> Iterator[None]:
    """Runs the work of the library's main queue, its timers too, on an asyncio loop of the main thread, as long as the context lasts:
    `with main_queue(): …`. By default on the loop that runs."""
    loop = loop or asyncio.get_running_loop()
    descriptor = lib.sgk_main_fd()
    if descriptor < 0:
        raise UsageError(lib.sgk_last_error().decode(errors="replace"))
    loop.add_reader(descriptor, lambda: succeeded(lib.sgk_main_drain()))
    try:
        yield
    finally:
        loop.remove_reader(descriptor)


# ---- Values as an asynchronous iterator ----


class _Buffer:
    """Values between the threads that emit and the loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop, limit: int, overflow: str) -> None:
        self._loop = loop
        self._thread = threading.get_ident()
        self._limit = limit
        self._overflow = overflow
        self._room = threading.Condition()
        self._values: deque[Any] = deque()
        self._emitters: list[Callable[[], object]] = []  # those that go on when there is room
        self._error: BaseException | None = None
        self._ended = False
        self._waiter: asyncio.Future[None] | None = None

    def put(self, value: Any) -> None:
        with self._room:
            while len(self._values) >= self._limit and not self._ended:
                if self._overflow == "drop_oldest":
                    self._values.popleft()
                elif self._overflow == "drop_newest":
                    return
                elif self._overflow == "error" or self._is_here():
                    if self._overflow == "wait" and can_wait() and len(self._values) < 2 * self._limit:
                        break  # the source has been asked to wait, and this is left of what it has emitted
                    raise OverflowedError(f"{len(self._values)} values wait already")
                elif self._loop.is_closed():
                    self._ended = True
                else:
                    self._room.wait(0.5)  # and look whether the loop is still there
            if self._ended:
                return
            self._values.append(value)
            if len(self._values) >= self._limit and self._overflow == "wait" and self._is_here():
                ask_to_wait(self)
        self._wake()

    def _is_here(self) -> bool:
        return threading.get_ident() == self._thread

    def when_room(self, go_on: Callable[[], object]) -> None:
        with self._room:
            self._emitters.append(go_on)
            emitters = self._with_room()
        self._go_on(emitters)

    def _with_room(self) -> list[Callable[[], object]]:
        """Those that can go on: when half of the room is free, so that they need not be asked for each value."""
        if not self._ended and len(self._values) > self._limit // 2:
            return []
        emitters, self._emitters = self._emitters, []
        return emitters

    def _go_on(self, emitters: list[Callable[[], object]]) -> None:
        for go_on in emitters:
            try:
                self._loop.call_soon_threadsafe(go_on)
            except RuntimeError:
                pass  # the loop is closed: there is nobody to go on

    def end(self, error: BaseException | None = None) -> None:
        with self._room:
            if not self._ended:
                self._ended, self._error = True, error
            self._room.notify_all()
            emitters = self._with_room()
        self._go_on(emitters)
        self._wake()

    def close(self) -> None:
        """Nobody reads any more."""
        self.end()
        self._values.clear()

    def _wake(self) -> None:
        if self._waiter:
            try:
                self._loop.call_soon_threadsafe(self._wake_here)
            except RuntimeError:
                pass  # the loop is closed: nobody waits

    def _wake_here(self) -> None:
        waiter, self._waiter = self._waiter, None
        if waiter and not waiter.done():
            waiter.set_result(None)

    async def get(self) -> Any:
        while True:
            with self._room:
                if self._values:
                    value = self._values.popleft()
                    self._room.notify()
                    if self._emitters:
                        self._go_on(self._with_room())
                    return value
                if self._ended:
                    error, self._error = self._error, None
                    if error:
                        raise error
                    raise StopAsyncIteration
                self._waiter = self._loop.create_future()
            await self._waiter


class Values(Generic[T], AsyncIterator[T]):
    """The values of one run, for one reader on one loop: `async for value in signal`. The run begins with the first value that is asked for, and
    ends with the iterator: `aclose()`, `async with`, or when it is let go.

    At most `limit` values wait. What happens to one more says `overflow`: "wait" blocks the emitting thread until there is room; on the loop's own
    thread, where that would hang, `from_iterable`, `from_async_iterable` and `deliver_on(loop)` go on when there is room, and others have an
    OverflowedError; "error" ends with that, after the values that wait; "drop_oldest" and "drop_newest" drop one."""

    def __init__(self, signal: Signal[T], limit: int = 1024, overflow: str = "wait") -> None:
        if limit < 1 or overflow not in ("wait", "error", "drop_oldest", "drop_newest"):
            raise ValueError(f"a limit of {limit} and overflow={overflow!r}")
        self._signal = signal
        self._options = limit, overflow
        self._buffer: _Buffer | None = None
        self._run: Disposable | None = None
        self._closed = False

    async def __anext__(self) -> T:
        if self._closed:
            raise StopAsyncIteration
        if not self._buffer:
            self._buffer = buffer = _Buffer(asyncio.get_running_loop(), *self._options)
            self._run = self._signal.start(buffer.put, buffer.end, buffer.end)
        value: T = await self._buffer.get()
        return value

    def _close(self) -> None:
        self._closed = True
        if self._run:
            self._run.dispose()
        if self._buffer:
            self._buffer.close()

    async def aclose(self) -> None:
        self._close()

    async def __aenter__(self) -> Values[T]:
        return self

    async def __aexit__(self, *error: object) -> None:
        self._close()

    def __del__(self) -> None:
        try:
            self._close()
        except BaseException as error:
            unhandled("an asynchronous iterator", error)


async def _first(signal: Signal[T]) -> T:
    from .operators import take

    async with Values(signal | take(1)) as values:
        async for value in values:
            return value
    raise NoValueError("the signal completed without a value")


def first(signal: Signal[T]) -> Awaitable[T]:
    """The first value."""
    return _first(signal)


# ---- From asyncio ----


def from_coroutine(function: Callable[[], Awaitable[T]], loop: asyncio.AbstractEventLoop | None = None) -> Signal[T]:
    """Each start calls `function()` on the loop and awaits it; the result is the signal's value. Disposal cancels it."""

    async def once() -> AsyncIterator[T]:
        yield await function()

    return from_async_iterable(once, loop)


async def _room(full: list[Full]) -> None:
    there_is = asyncio.Event()
    when_all_have_room(full, there_is.set)
    await there_is.wait()


def from_async_iterable(
    source: AsyncIterable[T] | Callable[[], AsyncIterable[T]], loop: asyncio.AbstractEventLoop | None = None
) -> Signal[T]:
    """Each start iterates in a task of the loop (by default the one that runs where the signal is made) and emits there; disposal cancels the task.
    Given a function, each start iterates over what that returns; a generator that is given itself can be iterated over only once. Where an
    `async for` on that loop has no room, the task waits for it."""
    loop = loop or asyncio.get_running_loop()

    async def iterate(subscriber: Subscriber[T]) -> None:
        iterator: AsyncIterable[T] | None = None
        try:
            iterator = source() if callable(source) else source
            async for value in iterator:
                with emitting() as full:
                    wanted = subscriber.next(value)
                if not wanted:
                    return
                if full:
                    await _room(full)
            subscriber.complete()
        except asyncio.CancelledError as error:
            subscriber.error(error)  # which nobody sees when disposal was the reason
            raise
        except Exception as error:
            if not subscriber.error(error):
                unhandled("an asynchronous iterator", error)
        finally:
            close = getattr(iterator, "aclose", None)
            if close:
                await close()

    def generate(subscriber: Subscriber[T]) -> Disposable:
        tasks: list[asyncio.Task[None]] = []
        stopped = False

        def begin() -> None:
            if not stopped:
                tasks.append(loop.create_task(iterate(subscriber)))

        def cancel() -> None:
            for task in tasks:
                task.cancel()

        def stop() -> None:
            nonlocal stopped
            stopped = True
            try:
                loop.call_soon_threadsafe(cancel)
            except RuntimeError:
                pass  # the loop is closed, and the task with it

        loop.call_soon_threadsafe(begin)
        return Disposable.action(stop)

    return Signal.create(generate)
