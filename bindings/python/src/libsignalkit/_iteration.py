"""The two ends at which a signal is an asynchronous iterator: `async for` reads one, and one can be what a signal emits."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from typing import Any, AsyncIterable, AsyncIterator, Callable, Generic, Protocol, TypeVar

from ._contexts import unhandled
from ._pressure import Full, ask_to_wait, can_wait, emitting, when_all_have_room
from ._subscriber import Subscriber
from .disposable import Disposable

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class OverflowedError(RuntimeError):
    """More values have come than an asynchronous iterator may keep."""


class NoValueError(LookupError):
    """A signal has completed without the value that was awaited."""


class Startable(Protocol[T_co]):
    """A signal, as far as it is read here."""

    def start(
        self,
        on_next: Callable[[T_co], object],
        on_error: Callable[[BaseException], object],
        on_completed: Callable[[], object],
    ) -> Disposable: ...


# ---- Out ----


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

    def __init__(self, signal: Startable[T], limit: int = 1024, overflow: str = "wait") -> None:
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


async def first_of(signal: Startable[T]) -> T:
    """The first value; of a signal that ends behind it."""
    async with Values(signal) as values:
        async for value in values:
            return value
    raise NoValueError("the signal completed without a value")


# ---- In ----


async def _room(full: list[Full]) -> None:
    there_is = asyncio.Event()
    when_all_have_room(full, there_is.set)
    await there_is.wait()


def iterating(
    source: AsyncIterable[T] | Callable[[], AsyncIterable[T]], loop: asyncio.AbstractEventLoop | None
) -> Callable[[Subscriber[T]], Disposable]:
    """A generator of a signal that emits what `source` yields: see aio.from_async_iterable."""
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

    return generate
