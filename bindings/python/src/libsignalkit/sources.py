"""Hot sources, and sources that store a value."""

from __future__ import annotations

import asyncio
import threading
from typing import Any, Callable, Generic, TypeVar

from . import _needed
from ._contexts import Work, work
from ._library import Handle, Unique, lib, succeeded
from ._listeners import NONE, Feed, Listeners, ReplayingListeners
from ._values import passing
from .queues import QueueLike, queue_for
from .signal import Signal

__all__ = ["Pipe", "Promise", "Sequencer", "State"]

T = TypeVar("T")


def _with_value(holder: object, value: Any) -> str:
    return f"<{type(holder).__name__}: {'no value' if value is NONE else repr(value)}>"


class Pipe(Unique, Generic[T]):
    """A hot source. It sends each value to the subscriptions that are active at that moment. With `replay`, a new subscription first receives the latest
    value.

    Neither the signal nor a subscription retains the pipe. When the pipe is released, its subscriptions are released without an event."""

    __slots__ = ("_listeners", "_signal", "_put", "__dict__", "__weakref__")

    def __init__(self, replay: bool = False) -> None:
        self._listeners = ReplayingListeners() if replay else Listeners()
        self._signal: Signal[T] = Signal(None, origin=self._listeners)
        self._put: Callable[[T], None] = self._listeners.putting(Feed(self._listeners))
        if type(self).next is Pipe.next:
            vars(self)["next"] = self._put  # which saves a call for each value

    def __repr__(self) -> str:
        count = self._listeners.count
        return f"<{type(self).__name__}: {count} subscriber{'' if count == 1 else 's'}>"

    @property
    def signal(self) -> Signal[T]:
        """Ends by `complete` or `error` alone."""
        return self._signal

    def next(self, value: T) -> None:
        """Delivers a value to the current subscribers, on this thread. If another thread is delivering, that thread delivers it next. The method retains
        the pipe: `emit = Pipe().next`."""
        self._put(value)

    @property
    def is_paused(self) -> bool:
        """Whether a subscription asks for a pause, because a buffer is full behind it. A value that is sent nevertheless exceeds the limit."""
        return bool(self._listeners.full())

    async def ready(self) -> bool:
        """Waits until no subscription asks for a pause. Returns false if the pipe has ended. Then stop."""
        while self.is_paused:
            resumed = asyncio.Event()
            self.on_resume(resumed.set)
            await resumed.wait()
        return not self._listeners.is_over

    def on_resume(self, function: Callable[[], object], *, queue: QueueLike = None) -> None:
        """Calls `function()` once on `queue`, as soon as no subscription asks for a pause: at the earliest after this call. If the pipe is released
        before, the function is not called."""
        on = queue_for("on_resume", queue)
        resumed = Work(function)
        self._listeners.when_ready(lambda: lib.sgk_queue_dispatch(on._handle, *work(resumed)))

    def complete(self) -> None:
        """Completes the pipe. Current subscribers receive the completion after earlier values, and later subscribers immediately."""
        self._listeners.complete()

    def error(self, error: BaseException) -> None:
        """Fails the pipe with an error. Current subscribers receive it after earlier values, and later subscribers immediately."""
        self._listeners.fail(error)


class State(Unique, Generic[T]):
    """A value that changes, from any thread: `value`, `set`, `update`. Its signal emits the current value first, then each new one, once and in order.

    A state without an argument has no value at first. With `ignore_repeated`, setting a value that equals the current one does nothing."""

    __slots__ = ("_signal", "_listeners", "_line_up", "_now", "_change", "_ignore_repeated", "__weakref__")

    def __init__(self, value: T = NONE, ignore_repeated: bool = False) -> None:
        self._listeners = ReplayingListeners(value)
        self._line_up = self._listeners.waiting.append
        self._signal: Signal[T] = Signal(None, origin=Feed(self._listeners))
        # The value; the number of its change; the thread that has made that one, and all behind the change of the last number.
        self._now: tuple[Any, int, int, int] = value, 0, 0, 0
        self._change = threading.Lock()
        self._ignore_repeated = ignore_repeated

    def __repr__(self) -> str:
        return _with_value(self, self._now[0])

    @property
    def value(self) -> T:
        """The value that is there; None when there is none."""
        value: Any = self._now[0]
        value = None if value is NONE else value
        return value  # type: ignore[no-any-return]

    def set(self, value: T) -> None:
        """Replaces the value."""
        while not self._replace(self._now, value, threading.get_ident()):
            pass

    def update(self, function: Callable[[T], T]) -> T:
        """Sets `function(value)` of the newest value, and returns it. No change of another thread is lost, and no subscriber receives an old value after
        a newer one.

        `function` is called again if another thread has set a value in the meantime, so it should have no side effects. If it raises, nothing
        changes. If it sets this object itself, that takes effect immediately, and its result then replaces that value."""
        this_thread = threading.get_ident()
        while True:
            before = self._now
            old: Any = before[0]
            old = None if old is NONE else old
            value = function(old)
            now = self._now
            while now is before or now[2] == this_thread and now[3] <= before[1]:
                if self._replace(now, value, this_thread):
                    return value
                now = self._now

    def _replace(self, now: tuple[Any, int, int, int], value: T, this_thread: int) -> bool:
        """Returns false if the current value is not `now`. The user's `==` is called without the lock."""
        old, number, thread, alone_since = now
        if self._ignore_repeated and old is not NONE and old == value:
            return True
        with self._change:
            if self._now is not now:
                return False
            self._now = value, number + 1, this_thread, alone_since if thread == this_thread else number
            self._line_up(value)
        self._listeners.drain()
        return True

    @property
    def signal(self) -> Signal[T]:
        """The value that is there, inside each start, then each one that is set."""
        return self._signal


class Promise(Unique, Generic[T]):
    """Holds the latest value of whichever signal it was set to last, and passes it on. Never ends."""

    __slots__ = ("_handle", "__weakref__")

    def __init__(self, value: T = NONE) -> None:
        if value is NONE:
            self._handle = Handle(lib.sgk_promise_create())
        else:
            self._handle = Handle(passing(lib.sgk_promise_create_value)(value))

    def __repr__(self) -> str:
        values: list[T] = []
        self.signal.start(values.append).dispose()
        return _with_value(self, values[0] if values else NONE)

    def set(self, signal: Signal[T]) -> None:
        """Follows `signal` from now on, instead of the previous one."""
        succeeded(lib.sgk_promise_set(self._handle._handle, _needed.instance("Promise.set", Signal, signal)._signal_handle()))

    @property
    def signal(self) -> Signal[T]:
        """The latest value, inside each start, then each one that comes."""
        return Signal(Handle(lib.sgk_promise_signal(self._handle._handle)))


class Sequencer(Unique):
    """Runs signals one at a time, in the order in which they were started."""

    __slots__ = ("_handle", "__weakref__")

    def __init__(self) -> None:
        self._handle = Handle(lib.sgk_sequencer_create())

    def enqueue(self, signal: Signal[T]) -> Signal[T]:
        """Returns a signal that runs `signal` in its turn."""
        return Signal(Handle(lib.sgk_sequencer_enqueue(self._handle._handle, _needed.instance("Sequencer.enqueue", Signal, signal)._signal_handle())))
