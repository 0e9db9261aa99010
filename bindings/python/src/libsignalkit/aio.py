"""Signals and asyncio."""

from __future__ import annotations

import asyncio
import ctypes
import threading
import weakref
from collections import deque
from contextlib import contextmanager
from typing import Any, AsyncIterable, Awaitable, Callable, Iterator, TypeVar

from . import _library as library, _needed
from ._contexts import contexts, destroy, register, unhandled
from ._iteration import OverflowedError as OverflowedError, Values as Values
from ._library import UsageError, guarded, lib, succeeded
from ._pressure import emitting, when_all_have_room
from ._runs import Stop
from ._subscriber import Subscriber
from .disposable import Disposable
from .queues import Queue
from .signal import Signal

__all__ = ["LoopClosedError", "OverflowedError", "Values", "deliver_on", "first", "from_async_iterable", "from_coroutine", "loop_queue", "main_queue"]

T = TypeVar("T")


class LoopClosedError(RuntimeError):
    """An asyncio loop was closed before these events were delivered on it; the second argument is how many."""


# ---- Onto a loop ----

_AT_ONCE = 256


def _abandon(wakeup: Any) -> None:
    if not getattr(wakeup, "_called", True):
        wakeup._hop.abandon()


class _Wakeup:
    """The call that a loop was asked for. A loop that is closed drops it."""

    __slots__ = ("_hop", "_called")

    def __init__(self, hop: _Hop) -> None:
        self._hop = hop
        self._called = False

    def __call__(self) -> None:
        self._called = True
        self._hop.drain()

    __del__ = library.finalizer(_abandon)


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
        """Returns false if the subscription has ended."""
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
        """On the loop: delivers the pending events, or a part of them so that the loop can do other work. It waits for a reader whose buffer is full."""
        with emitting() as full:
            for _ in range(min(len(self._events), _AT_ONCE)):
                try:
                    deliver, value = self._events.popleft()
                except IndexError:  # disposed in the meantime
                    break
                if not deliver(value):  # the subscription has ended
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
        """Called when the loop makes no further calls."""
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
    """Delivers every event on the loop's thread, in order, never inline. Disposal drops pending events.

    If the loop is closed with pending events, the subscription fails with a LoopClosedError that contains their number, on the thread that closed the
    loop. If an event arrives later, it fails on the emitting thread. A stopped loop keeps the events until it runs again."""
    if not isinstance(loop, asyncio.AbstractEventLoop):
        raise TypeError(f"deliver_on needs a Queue or an asyncio loop, not {loop!r}")

    def apply(signal: Signal[T]) -> Signal[T]:
        def generate(subscriber: Subscriber[T]) -> Disposable:
            hop = _Hop(loop, subscriber)

            def receive(value: T) -> None:
                if not hop.put(subscriber.next, value):
                    raise Stop  # a source that emits in a loop ends here

            run = signal.start(
                receive,
                on_error=lambda error: hop.put(subscriber.error, error),
                on_completed=lambda: hop.put(lambda _: subscriber.complete(), None),
            )

            def dispose() -> None:
                hop.dispose()
                run.dispose()

            return Disposable.action(dispose)

        return Signal.create(generate)

    return apply


# ---- A queue on a loop ----


def _destroy(what: Any) -> None:
    """Once: there is no interrupt between the loss of the context and the call."""
    if getattr(what, "_context", 0):
        destroy = library.NativeWork(what._destroy)
        context, what._context = what._context, 0
        destroy(context)


class _Job:
    """Work of the library. It is run, or released if the loop drops it."""

    __slots__ = ("_work", "_context", "_destroy")

    def __init__(self, work: int, context: int, destroy: int) -> None:
        self._work, self._context, self._destroy = work, context, destroy

    def __call__(self) -> None:
        library.NativeWork(self._work)(self._context)

    __del__ = library.finalizer(_destroy)


def _async(context: int, work: int, work_context: int, destroy: int) -> int:
    job = _Job(work, work_context, destroy)
    loop: asyncio.AbstractEventLoop = contexts[context]
    try:
        loop.call_soon_threadsafe(job)
    except RuntimeError:  # the loop is closed, and the job released
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


class _Watch:
    """A notification about a descriptor, which is sent once or released."""

    __slots__ = ("_ready", "_context", "_destroy")

    def __init__(self, ready: int, context: int, destroy: int) -> None:
        self._ready, self._context, self._destroy = ready, context, destroy

    def __call__(self, events: int) -> None:
        library.NativeReady(self._ready)(self._context, events)

    __del__ = library.finalizer(_destroy)


_READ, _WRITE = 1, 2
# Each descriptor is one run's own, so no loop has the number of another's. They go with their loop.
_watches: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, dict[int, _Watch]] = weakref.WeakKeyDictionary()


def _tell(loop: asyncio.AbstractEventLoop, fd: int, events: int) -> None:
    watches = _watches[loop]
    watch = watches.pop(fd, None)
    if watch:
        watch(events)  # which may watch again
    if fd not in watches:
        _forget(loop, fd)


def _forget(loop: asyncio.AbstractEventLoop, fd: int) -> None:
    if not loop.is_closed():
        loop.remove_reader(fd)
        loop.remove_writer(fd)


def _watch(context: int, fd: int, events: int, ready: int, ready_context: int, destroy: int) -> int:
    watch = _Watch(ready, ready_context, destroy)
    loop: asyncio.AbstractEventLoop = contexts[context]
    try:
        if events & _READ:
            loop.add_reader(fd, _tell, loop, fd, _READ)
        if events & _WRITE:
            loop.add_writer(fd, _tell, loop, fd, _WRITE)
    except (OSError, RuntimeError, NotImplementedError):  # a file, or a loop that is closed or watches nothing
        return library.ENDED
    _watches.setdefault(loop, {})[fd] = watch
    return 0


def _unwatch(context: int, fd: int) -> None:
    loop: asyncio.AbstractEventLoop = contexts[context]
    if _watches.get(loop, {}).pop(fd, None):
        _forget(loop, fd)


def _dropped(error: BaseException, *arguments: int) -> int:
    unhandled("work for a loop", error)
    return library.ENDED


_table = library.for_good(library.QueueTable(
    ctypes.sizeof(library.QueueTable), library.AsyncFn(guarded(_async, _dropped)), None, library.AfterFn(guarded(_after, _dropped)), None, None,
    library.PlainFn(guarded(destroy)), library.WatchFn(guarded(_watch, _dropped)), library.UnwatchFn(guarded(_unwatch)),
))


def loop_queue(loop: asyncio.AbstractEventLoop | None = None) -> Queue:
    """A serial queue whose work and timers run on an asyncio loop (default: the running loop). Use it for `throttle`, `timeout`, `Timer` and every other
    function with a queue. Work for a closed loop is dropped, and `dropped` counts it. `deliver_on(loop)` reports it as an error."""
    return Queue._called("asyncio", lib.sgk_queue_create_custom(ctypes.addressof(_table), register(_needed.loop("loop_queue", loop))))


@contextmanager
def main_queue(loop: asyncio.AbstractEventLoop | None = None) -> Iterator[None]:
    """Runs the work of the library's main queue, its timers too, on an asyncio loop of the main thread, as long as the context lasts:
    `with main_queue(): …`. By default on the loop that runs."""
    loop = _needed.loop("main_queue", loop)
    descriptor = lib.sgk_main_fd()
    if descriptor < 0:
        raise UsageError(lib.sgk_last_error().decode(errors="replace"))
    loop.add_reader(descriptor, lambda: succeeded(lib.sgk_main_drain()))
    try:
        yield
    finally:
        loop.remove_reader(descriptor)


# ---- Asynchronous iterators ----


def first(signal: Signal[T]) -> Awaitable[T]:
    """The first value."""
    return _needed.instance("first", Signal, signal).first()


def from_coroutine(function: Callable[[], Awaitable[T]], loop: asyncio.AbstractEventLoop | None = None) -> Signal[T]:
    """Each start calls `function()` on the loop and awaits it; the result is the signal's value. Disposal cancels it."""
    return Signal.from_coroutine(function, loop)


def from_async_iterable(
    source: AsyncIterable[T] | Callable[[], AsyncIterable[T]], loop: asyncio.AbstractEventLoop | None = None
) -> Signal[T]:
    """Each start iterates in a task of the loop (default: the loop that runs when the signal is created) and emits there. Disposal cancels the task. If
    the argument is a function, each start iterates over its result. A generator can be iterated over only once. If the buffer of an `async for` on
    that loop is full, the task waits for it."""
    return Signal.from_async_iterable(source, loop)
