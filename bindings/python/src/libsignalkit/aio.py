"""Signals and asyncio."""

from __future__ import annotations

import asyncio
import math
import threading
from collections import deque
from contextlib import contextmanager
from typing import Any, Callable, Iterator, TypeVar

from . import _library as library, _needed
from ._iteration import OverflowedError as OverflowedError, Values as Values
from ._kinds import Overflow, Pausing, pausing_policies
from ._library import lib, refusal, succeeded
from ._operator import Passing
from ._pressure import Brake, emitting, when_all_have_room
from ._runs import Stop
from ._subscriber import Pause, Subscriber
from .disposable import Disposable
from .queues import loop_queue as loop_queue
from .signal import Signal

__all__ = ["LoopClosedError", "OverflowedError", "Values", "deliver_on", "from_coroutine", "loop_queue", "main_queue"]

T = TypeVar("T")


class LoopClosedError(RuntimeError):
    """An asyncio loop was closed before these events were delivered on it; the second argument is how many."""


# ---- Onto a loop ----

_AT_ONCE = 256
_LIMIT = 1024  # of a deliver_on that pauses its source


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

    def __init__(self, loop: asyncio.AbstractEventLoop, subscriber: Subscriber[Any], limit: float, policies: tuple[Overflow, ...]) -> None:
        self._loop = loop
        self._subscriber = subscriber
        self._limit = limit
        self._policy = policies[-1]
        self._pauses_at = math.inf if Overflow.PAUSE not in policies else limit if len(policies) == 1 else max(limit * 3 // 4, 1)
        self._lock = threading.Lock()
        self._events: deque[tuple[Callable[[Any], bool], Any]] = deque()
        self._asked = False
        self._closed = False  # for further events
        self._brake = Brake()

    @property
    def is_full(self) -> bool:
        return self._brake.is_on

    def known(self, run: Disposable) -> None:
        self._brake.run = run

    def next(self, value: Any) -> bool:
        """Returns false if the subscription ends."""
        return self.put(self._subscriber.next, value, self._policy)

    def put(self, deliver: Callable[[Any], bool], value: Any, policy: Overflow = Overflow.PAUSE) -> bool:
        """The same for any event. A policy other than PAUSE applies at the limit."""
        with self._lock:
            if self._closed:
                return False
            if policy is not Overflow.PAUSE and len(self._events) >= self._limit:
                if policy is Overflow.DROP_NEWEST:
                    return True
                if policy is Overflow.ERROR:
                    deliver, value = self._subscriber.error, OverflowedError(f"{self._limit} values wait already")
                    self._closed = True
                else:
                    self._drop(all=policy is Overflow.LATEST)
            self._events.append((deliver, value))
            if len(self._events) >= self._pauses_at:
                self._brake.pull()
            asks, self._asked = not self._asked, True
        if asks:
            self._ask()
        return not self._closed

    def _drop(self, all: bool) -> None:
        if all:
            return self._events.clear()
        try:
            self._events.popleft()
        except IndexError:  # they are being delivered
            pass

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
                if self._subscriber.is_paused:
                    full.append(Pause(self._subscriber._handle))
                if full:
                    break
        with self._lock:
            self._asked = bool(full or self._events)
        self._release()
        if full:
            return when_all_have_room(full, _Wakeup(self))
        if self._asked:
            self._ask()

    def when_room(self, go_on: Callable[[], object]) -> None:
        with self._lock:
            self._brake.waiting.append(go_on)
        self._release()

    def _release(self) -> None:
        with self._lock:
            if len(self._events) > self._limit / 2:
                return
            waiting, resume = self._brake.release()
        for call in resume + waiting:
            call()

    def abandon(self) -> None:
        """Called when the loop makes no further calls."""
        with self._lock:
            lost = len(self._events)
            self._close()
        self._release()
        if lost:  # unless they were disposed of
            self._subscriber.error(LoopClosedError(f"the loop was closed with {lost} events on their way to it", lost))

    def dispose(self) -> None:
        with self._lock:
            self._close()
        self._release()

    def _close(self) -> None:
        self._closed = True
        self._events.clear()
        self._brake.run = None


def deliver_on(loop: asyncio.AbstractEventLoop, *, limit: int | None = None, overflow: Pausing | None = None) -> Passing:
    """Delivers every event on the loop's thread, in order, never inline. Disposal drops pending events. When `limit` events are pending, `overflow`
    decides. By default the source is paused at 1,024 until half of them were delivered, and a source that cannot be paused continues. With another
    policy than "pause" None means unlimited.

    If the loop is closed with pending events, the subscription fails with a LoopClosedError that contains their number, on the thread that closed the
    loop. If an event arrives later, it fails on the emitting thread. A stopped loop keeps the events until it runs again."""
    if not isinstance(loop, asyncio.AbstractEventLoop):
        raise TypeError(f"deliver_on needs a Queue or an asyncio loop, not {loop!r}")
    policies = pausing_policies("deliver_on", overflow or Overflow.PAUSE)
    number = _needed.limit("deliver_on", "limit", limit)
    most = number if limit is not None else _LIMIT if Overflow.PAUSE in policies else math.inf

    def apply(signal: Signal[T]) -> Signal[T]:
        def generate(subscriber: Subscriber[T]) -> Disposable:
            hop = _Hop(loop, subscriber, most, policies)

            def receive(value: T) -> None:
                if not hop.next(value):
                    raise Stop  # a source that emits in a loop ends here

            run = signal._start_reading(
                hop,
                receive,
                lambda error: hop.put(subscriber.error, error),
                lambda: hop.put(lambda _: subscriber.complete(), None),
            )

            def dispose() -> None:
                hop.dispose()
                run.dispose()

            return Disposable.action(dispose)

        return Signal.create(generate)

    return Passing(apply)


# ---- The main queue ----


@contextmanager
def main_queue(loop: asyncio.AbstractEventLoop | None = None) -> Iterator[None]:
    """Runs the work of the library's main queue, its timers too, on an asyncio loop of the main thread, as long as the context lasts:
    `with main_queue(): …`. By default on the loop that runs."""
    loop = _needed.loop("main_queue", loop)
    descriptor = lib.sgk_main_fd()
    if descriptor < 0:
        raise refusal()
    loop.add_reader(descriptor, lambda: succeeded(lib.sgk_main_drain()))
    try:
        yield
    finally:
        loop.remove_reader(descriptor)


from_coroutine = Signal.from_coroutine
