"""Pipes in Python and their subscribers. Values stay in Python, because the way through the library takes three to five times as long. The guarantees of
the library's pipes apply here, too."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from typing import Any, Callable

from ._library import finalizer
from ._pressure import Full, when_all_have_room
from ._runs import Callbacks

NONE: Any = object()  # no value yet


class InLine:
    """An entry of the queue that is not a value."""

    __slots__ = ()

    def arrive(self, listeners: Any) -> None:
        raise NotImplementedError


class End(InLine):
    """The terminal event of a pipe."""

    __slots__ = ("error",)

    def __init__(self, error: BaseException | None) -> None:
        self.error = error

    def arrive(self, listeners: Any) -> None:
        listeners._end(self)

    def tell(self, run: Callbacks) -> None:
        run.completed() if self.error is None else run.failed(self.error)


class Reached(InLine):
    """Calls a function when the delivery before it is over."""

    __slots__ = ("function",)

    def __init__(self, function: Callable[[], object]) -> None:
        self.function = function

    def arrive(self, listeners: Any) -> None:
        self.function()


class Everybody:
    """All subscribers of a pipe, as one receiver."""

    __slots__ = ("_runs",)

    def __init__(self, runs: tuple[Callbacks | Everybody, ...]) -> None:
        self._runs = runs

    def receive(self, value: Any) -> None:
        for run in self._runs:
            try:
                run.receive(value)
            except BaseException as error:
                run.fail(error)

    def fail(self, error: BaseException) -> None:
        raise error


class Listeners:
    """Delivers one value at a time, in order, to the current subscribers. If a value arrives during a delivery, the delivering thread delivers it next."""

    __slots__ = ("_runs", "_audience", "_change", "waiting", "_turn", "_ended", "_gone")

    def __init__(self) -> None:
        self._runs: dict[Callbacks, None] = {}
        self._audience: Callbacks | Everybody | None = None  # the only subscription, or all of them; None: recompute
        self._change = threading.Lock()
        self.waiting: deque[Any] = deque()  # what `drain` will deliver
        # The thread that deletes this attribute delivers, and sets the attribute again. No thread waits for it, and a lock takes several times as
        # long. No interrupt (Ctrl-C) can occur between the deletion and the `try` after it, as it could after a call.
        self._turn = True
        self._ended: End | None = None
        self._gone = False

    def putting(self, feed: Feed) -> Callable[[Any], None]:
        """A function that puts a value in, and keeps the pipe by `feed`."""

        def put(value: Any) -> None:
            if self.waiting:
                return feed.listeners._line_up(value)
            try:
                del self._turn  # of several threads one can
            except AttributeError:
                return self._line_up(value)
            try:
                audience = self._audience or self._gathered()
                try:
                    audience.receive(value)
                except BaseException as error:
                    audience.fail(error)
            finally:
                self._turn = True
            if self.waiting:
                self.drain()

        put.__qualname__ = "Pipe.next"
        return put

    @property
    def count(self) -> int:
        return len(self._runs)

    @property
    def is_over(self) -> bool:
        return self._ended is not None

    def full(self) -> list[Full]:
        """The buffers that ask for a pause."""
        with self._change:
            buffers = [run.buffer for run in self._runs]
        return [buffer for buffer in buffers if buffer and buffer.is_full]

    def when_ready(self, go_on: Callable[[], object]) -> None:
        """Calls `go_on()` once when no buffer asks for a pause, unless the pipe is released before."""
        if full := self.full():
            when_all_have_room(full, lambda: self.when_ready(go_on))
        elif not self._gone:
            go_on()

    def complete(self) -> None:
        self._line_up(End(None))

    def fail(self, error: BaseException) -> None:
        self._line_up(End(error))

    def _line_up(self, value: Any) -> None:
        self.waiting.append(value)
        self.drain()

    def drain(self) -> None:
        """Delivers the pending values, unless another thread is delivering. That thread checks for them at its end."""
        waiting = self.waiting
        while waiting:
            try:
                del self._turn
            except AttributeError:
                return
            try:
                while waiting:
                    value = waiting.popleft()
                    audience = self._audience or self._gathered()
                    try:
                        value.arrive(self) if isinstance(value, InLine) else audience.receive(value)
                    except BaseException as error:
                        audience.fail(error)
            finally:
                self._turn = True

    def add(self, run: Callbacks) -> None:
        run._source = self
        with self._change:
            end, over = self._ended, self._ended or self._gone
            if run._open and not over:  # it may have been stopped while it waited in line
                self._runs[run] = None
                self._audience = None
        if run._open and over:
            run._source = None
            end.tell(run) if end else run._let_go()

    def remove(self, run: Callbacks) -> None:
        with self._change:
            self._runs.pop(run, None)
            self._audience = None

    async def idle(self) -> None:
        loop = asyncio.get_running_loop()
        reached = asyncio.Event()
        self._line_up(Reached(lambda: loop.call_soon_threadsafe(reached.set)))
        await reached.wait()

    def _gathered(self) -> Callbacks | Everybody:
        with self._change:
            runs = tuple(self._runs)
            self._audience = audience = runs[0] if len(runs) == 1 else Everybody(runs)
        return audience

    def _clear(self, keeps_line: bool = False) -> tuple[Callbacks, ...]:
        with self._change:
            runs = tuple(self._runs)
            self._runs.clear()
            self._audience = None
        if not keeps_line:
            for run in runs:
                run._source = None
        return runs

    def _end(self, end: End) -> None:
        self._ended = self._ended or end
        for run in self._clear():
            end.tell(run)

    def let_go(self) -> None:
        """Called when the pipe is released: drops the subscriptions without an event."""
        self._gone = True
        for run in self._clear():
            run._let_go()


def _let_go(feed: Any) -> None:
    if listeners := getattr(feed, "listeners", None):
        listeners.let_go()


class Feed:
    """A pipe, as those keep it who can put something in. Where its signals do as well, it is their origin."""

    __slots__ = ("listeners",)

    def __init__(self, listeners: Listeners) -> None:
        self.listeners = listeners

    def add(self, run: Callbacks) -> None:
        self.listeners.add(run)

    async def idle(self) -> None:
        await self.listeners.idle()

    def remove(self, run: Callbacks) -> None:
        self.listeners.remove(run)

    def complete(self) -> None:
        self.listeners.complete()

    def fail(self, error: BaseException) -> None:
        self.listeners.fail(error)

    __del__ = finalizer(_let_go)


class Joining(InLine):
    """A new subscription, after the values that were sent before."""

    __slots__ = ("run",)

    def __init__(self, run: Callbacks) -> None:
        self.run = run

    def arrive(self, listeners: Any) -> None:
        listeners._join(self.run)


class RememberingEverybody(Everybody):
    """The subscribers of a replaying pipe, which stores the events that they receive."""

    __slots__ = ("_listeners",)

    def __init__(self, listeners: ReplayingListeners, runs: tuple[Callbacks, ...]) -> None:
        self._runs = runs
        self._listeners = listeners

    def receive(self, value: Any) -> None:
        listeners = self._listeners
        listeners._latest = value
        listeners._thread = threading.get_ident()
        try:
            Everybody.receive(self, value)
        finally:
            listeners._thread = 0


class ReplayingListeners(Listeners):
    """The subscribers of a replaying pipe. A new one receives the latest value inside its start, unless another thread is delivering at that moment."""

    __slots__ = ("_latest", "_thread")

    def __init__(self, latest: Any = NONE) -> None:
        super().__init__()
        self._latest = latest
        self._thread = 0  # the one that delivers

    def add(self, run: Callbacks) -> None:
        run._source = self
        if self._thread == threading.get_ident():  # a callback starts it
            self._join(run)
        else:
            self._line_up(Joining(run))

    def _join(self, run: Callbacks) -> None:
        if self._latest is not NONE and not self._gone:
            Everybody((run,)).receive(self._latest)
        super().add(run)

    def _gathered(self) -> Everybody:
        with self._change:  # after the end nothing is remembered
            self._audience = audience = Everybody(()) if self._ended else RememberingEverybody(self, tuple(self._runs))
        return audience

    def let_go(self) -> None:
        super().let_go()
        self._latest = NONE
