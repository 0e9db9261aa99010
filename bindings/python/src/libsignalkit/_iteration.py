"""The two ends at which a signal is an asynchronous iterator: `async for` reads one, and one can be what a signal emits."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from typing import Any, AsyncIterable, AsyncIterator, Awaitable, Callable, Generic, Protocol, TypeVar

from . import _needed
from ._contexts import unhandled
from ._kinds import Overflow, Waiting, overflow_policy
from ._library import Unique, finalizer
from ._pressure import Brake, Full, Reading, ask_to_wait, emitting, when_all_have_room
from ._subscriber import Subscriber
from .disposable import Disposable

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class OverflowedError(RuntimeError):
    """More values arrived than an asynchronous iterator may buffer."""


class NoValueError(LookupError):
    """A signal has completed without the value that was awaited."""


class Startable(Protocol[T_co]):
    """A signal, as far as it is read here."""

    def start(
        self, on_next: Callable[[T_co], object], *, on_error: Callable[[BaseException], object], on_completed: Callable[[], object],
    ) -> Disposable: ...

    def _start_reading(
        self, buffer: Reading, on_next: Callable[[T_co], object], on_error: Callable[[BaseException], object],
        on_completed: Callable[[], object], /,
    ) -> Disposable: ...


# ---- Out ----


class _Buffer:
    """Values between the emitting threads and the loop. Taking a value, or adding one while there is space, needs no lock. Each side sees the earlier
    change of the other, or the other side sees its change."""

    def __init__(self, loop: asyncio.AbstractEventLoop, limit: int, overflow: Overflow) -> None:
        self._loop = loop
        self._thread = threading.get_ident()
        self._limit = limit
        self._overflow = overflow
        self._brim = limit - (overflow in (Overflow.WAIT, Overflow.PAUSE))  # from this number of values, a put takes the slow path
        self._room = threading.Condition()
        self._put_on_hold = 0  # threads that wait for space
        self._brake = Brake()
        self._error: BaseException | None = None
        self._ended = False
        self._waiter: asyncio.Future[None] | None = None
        self.values: deque[Any] = deque()
        self.wanted = False  # a source waits for space

    @property
    def is_full(self) -> bool:
        return self._brake.is_on

    def known(self, run: Disposable) -> None:
        self._brake.run = run

    def put(self, value: Any) -> None:
        if len(self.values) >= self._brim and not self._makes_room() or self._ended:
            return
        self.values.append(value)
        if self._waiter:
            self._wake()

    def _makes_room(self) -> bool:
        """False where the value is to be dropped."""
        policy = self._overflow
        if policy is Overflow.DROP_OLDEST:
            try:
                self.values.popleft()
            except IndexError:
                pass  # the reader has got it
        elif policy is Overflow.LATEST:
            self.values.clear()
        elif policy is Overflow.ERROR:
            raise OverflowedError(f"{len(self.values)} values wait already")
        elif policy is not Overflow.DROP_NEWEST:
            self._pause()
            if threading.get_ident() == self._thread:
                ask_to_wait(self)  # a source that cannot wait continues
            elif policy is Overflow.WAIT:
                self._wait()
        return policy is not Overflow.DROP_NEWEST

    def _pause(self) -> None:
        """Pauses the run when the next value fills the buffer. `room` resumes it."""
        with self._room:
            if not self._ended:
                self._brake.pull()
                self.wanted = True

    def _wait(self) -> None:
        """Blocks a thread whose source could not be paused, or not in time."""
        with self._room:
            self._put_on_hold += 1
            self.wanted = True
            while len(self.values) >= self._limit and not self._ended:
                if self._loop.is_closed():
                    self._ended = True
                else:
                    self._room.wait(0.5)  # and look whether the loop is still there
            self._put_on_hold -= 1

    def when_room(self, go_on: Callable[[], object]) -> None:
        with self._room:
            self._brake.waiting.append(go_on)
            self.wanted = True
        self.room()

    def room(self) -> None:
        """Notifies the sources that wait for space. Sources that were paused are notified when half of the buffer is free, so that they do not wait for
        each value."""
        waiting: list[Callable[[], object]] = []
        resume: list[Callable[[], object]] = []
        with self._room:
            self._room.notify()
            if self._ended or len(self.values) <= self._limit // 2:
                waiting, resume = self._brake.release()
            if self._ended:
                self._brake.run = None
            self.wanted = bool(self._put_on_hold or self._brake.waiting or self._brake.is_on)
        for call in resume:
            call()
        for go_on in waiting:
            try:
                self._loop.call_soon_threadsafe(go_on)
            except RuntimeError:
                pass  # the loop is closed: there is nobody to go on

    def end(self, error: BaseException | None = None) -> None:
        with self._room:
            if not self._ended:
                self._ended, self._error = True, error
            self._room.notify_all()
        self.room()
        self._wake()

    def close(self) -> None:
        """The reader is closed."""
        self.end()
        self.values.clear()

    def _wake(self) -> None:
        if threading.get_ident() == self._thread:
            return self._wake_here()
        try:
            self._loop.call_soon_threadsafe(self._wake_here)
        except RuntimeError:
            pass  # the loop is closed: nobody waits

    def _wake_here(self) -> None:
        waiter, self._waiter = self._waiter, None
        if waiter and not waiter.done():
            waiter.set_result(None)

    async def arrival(self) -> None:
        """Returns when there are values; raises the error, or StopAsyncIteration, at the end."""
        while True:
            self._waiter = waiter = self._loop.create_future()
            ended = self._ended  # read first: all values precede it
            if self.values:
                self._waiter = None
                return
            if ended:
                error, self._error = self._error, None
                raise error or StopAsyncIteration
            await waiter


def _let_go(values: Any) -> None:
    if hasattr(values, "_closed"):
        values._close()


class Values(Unique, Generic[T], AsyncIterator[T]):
    """The values of one subscription, for one reader on one loop: `async for value in signal`. The subscription starts at the first request, and ends
    with the iterator: `aclose()`, `async with`, or its release.

    At most `limit` values are buffered. If the buffer is full, `overflow` decides. "wait" pauses the source until half of the values were read, as
    `Disposable.hold` does. A source that cannot be paused (a pipe, a generator that does not ask) is blocked with its thread until there is space.
    On the loop's thread, which must not block, its values exceed the limit. "pause" never blocks. "error" ends with an OverflowedError after the buffered values. "drop_oldest" and "drop_newest" drop one
    value, and "latest" drops all but the new one."""

    def __init__(self, signal: Startable[T], limit: int = 1024, overflow: Waiting = Overflow.WAIT) -> None:
        policy = overflow_policy("values", overflow, waits=True, pauses=True)
        self._signal: Startable[T] | None = signal
        self._options = limit, policy
        self._buffer: _Buffer | None = None
        self._run: Disposable | None = None
        self._closed = False
        _needed.signal("Values", signal)
        if _needed.whole("values", limit) < 1:
            raise ValueError("values: limit must be 1 or more")

    async def __anext__(self) -> T:
        buffer = self._buffer or self._begun()
        while True:
            if not buffer.values:
                try:
                    await buffer.arrival()
                finally:
                    if buffer._ended:
                        self._run = None  # which the frames of an exception would retain
            try:
                value: T = buffer.values.popleft()
            except IndexError:
                continue  # a thread has dropped the oldest
            if buffer.wanted:
                buffer.room()
            return value

    def _begun(self) -> _Buffer:
        # A raised exception retains the frames that it passes, and a signal that fails with it retains the exception.
        signal, self._signal = self._signal, None
        if self._closed or not signal:
            raise StopAsyncIteration
        self._buffer = buffer = _Buffer(asyncio.get_running_loop(), *self._options)
        if self._options[1] in (Overflow.WAIT, Overflow.PAUSE):
            self._run = signal._start_reading(buffer, buffer.put, buffer.end, buffer.end)
        else:
            self._run = signal.start(buffer.put, on_error=buffer.end, on_completed=buffer.end)
        return buffer

    def _close(self) -> None:
        self._closed = True
        if self._run:
            self._run.dispose()
        buffer, self._buffer = self._buffer, None
        if buffer:
            buffer.close()

    async def aclose(self) -> None:
        """Disposes the subscription."""
        self._close()

    async def __aenter__(self) -> Values[T]:
        return self

    async def __aexit__(self, *error: object) -> None:
        self._close()

    __del__ = finalizer(_let_go)


async def first_of(signal: Startable[T]) -> T:
    """The first value; of a signal that ends behind it."""
    reader = Values(signal, 1, Overflow.LATEST)  # which pauses nothing
    del signal
    async with reader as values:
        async for value in values:
            return value
    raise NoValueError("the signal completed without a value")


# ---- In ----


async def _room(full: list[Full]) -> None:
    there_is = asyncio.Event()
    when_all_have_room(full, there_is.set)
    await there_is.wait()


def awaiting(name: str, function: Callable[[], Awaitable[T]], loop: asyncio.AbstractEventLoop | None) -> Callable[[Subscriber[T]], Disposable]:
    """A generator of a signal that emits the result of a coroutine: see Signal.from_coroutine."""
    _needed.called(name, function)

    async def once() -> AsyncIterator[T]:
        yield await function()

    return iterating(name, once, loop)


def iterating(
    name: str, source: AsyncIterable[T] | Callable[[], AsyncIterable[T]], loop: asyncio.AbstractEventLoop | None
) -> Callable[[Subscriber[T]], Disposable]:
    """A generator of a signal that emits what `source` yields: see Signal.from_async_iterable."""
    if not callable(source) and not hasattr(source, "__aiter__"):
        raise TypeError(f"{name} needs an asynchronous iterable, or a function that returns one, not {source!r}")
    loop = _needed.loop(name, loop)

    async def iterate(subscriber: Subscriber[T]) -> None:
        iterator: AsyncIterable[T] | None = None
        try:
            if not await subscriber.ready():
                return
            iterator = source() if callable(source) else source
            async for value in iterator:
                with emitting() as full:
                    wanted = subscriber.next(value)
                if not wanted:
                    return
                if full:
                    await _room(full)
                if subscriber.is_paused and not await subscriber.ready():
                    return
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

        if asyncio._get_running_loop() is loop:
            begin()  # now: asyncio.run cancels the tasks that exist when it ends
        else:
            loop.call_soon_threadsafe(begin)
        return Disposable.action(stop)

    return generate
