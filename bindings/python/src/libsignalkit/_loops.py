"""Queues on an asyncio loop, and the functions that the library calls for them."""

from __future__ import annotations

import asyncio
import ctypes
import weakref
from typing import Any, Callable, TypeVar

from . import _library as library
from ._contexts import Work, contexts, destroy, register, unhandled, work
from ._library import Handle, guarded, lib, succeeded

T = TypeVar("T")


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
    ctypes.sizeof(library.QueueTable), library.AsyncFn(guarded(_async, _dropped)), library.CurrentFn(),
    library.AfterFn(guarded(_after, _dropped)), None, None, library.PlainFn(guarded(destroy)), library.WatchFn(guarded(_watch, _dropped)), library.UnwatchFn(guarded(_unwatch)),
))


def queue_on(loop: asyncio.AbstractEventLoop) -> int:
    """Creates a queue of the library on a loop."""
    made: int = lib.sgk_queue_create_custom(ctypes.addressof(_table), register(loop))
    return made


# ---- Where sources continue ----


class _Turns:
    """The turns of a queue on a loop. The first one is stored in `first` if the caller runs it."""

    __slots__ = ("loop", "_is_first", "first")

    def __init__(self, loop: asyncio.AbstractEventLoop, runs_first: bool) -> None:
        self.loop = loop
        self._is_first = runs_first
        self.first: list[_Job] = []

    def add(self, turn: _Job) -> None:
        if self._is_first:
            self._is_first = False
            self.first.append(turn)
        elif asyncio._get_running_loop() is self.loop:
            self.loop.call_soon(turn)  # without a wake-up
        else:
            self.loop.call_soon_threadsafe(turn)


def _turn(context: int, work: int, work_context: int, destroy: int) -> int:
    turn = _Job(work, work_context, destroy)
    turns: _Turns = contexts[context]
    try:
        turns.add(turn)
    except RuntimeError:  # the loop is closed, and the turn released
        return library.ENDED
    return 0


def _is_here(context: int) -> bool:
    turns: _Turns = contexts[context]
    return asyncio._get_running_loop() is turns.loop


_turn_table = library.for_good(library.QueueTable(
    ctypes.sizeof(library.QueueTable), library.AsyncFn(guarded(_turn, _dropped)), library.CurrentFn(guarded(_is_here)),
    library.AfterFn(), None, None, library.PlainFn(guarded(destroy)), library.WatchFn(), library.UnwatchFn(),
))


def _queue_of(turns: _Turns) -> Handle:
    return Handle(lib.sgk_queue_create_custom(ctypes.addressof(_turn_table), register(turns)))


def continuing_on(loop: asyncio.AbstractEventLoop) -> Handle:
    """Creates a queue on a loop for one source or stage: it has no clock and watches no descriptors. Work from the loop's thread does not wake the loop."""
    return _queue_of(_Turns(loop, False))


def as_work_of(loop: asyncio.AbstractEventLoop, function: Callable[[], T]) -> T:
    """Calls a function at once, on the loop's thread, as the first work of such a queue. If a source of the library starts inside and is paused, it
    continues as work of that queue: in a callback of the loop."""
    results: list[T] = []
    errors: list[BaseException] = []
    turns = _Turns(loop, True)
    queue = _queue_of(turns)
    succeeded(lib.sgk_queue_dispatch(queue._handle, *work(Work(lambda: results.append(function()), errors.append))))
    turns.first.pop()()
    if errors:
        raise errors[0]
    return results[0]
