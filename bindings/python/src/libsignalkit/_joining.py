"""Sources that meet in Python, for one run."""

from __future__ import annotations

from typing import Any, Callable, Protocol

from ._listeners import NONE, End, Feed, Listeners
from ._pressure import Reading
from ._runs import Callbacks, stop
from .disposable import Disposable


class Startable(Protocol):
    """A signal, as far as it is followed here."""

    def start(
        self, on_next: Callable[[Any], object], *, on_error: Callable[[BaseException], object], on_completed: Callable[[], object] | None = None
    ) -> Disposable: ...

    def _start_reading(
        self, buffer: Reading, on_next: Callable[[Any], object], on_error: Callable[[BaseException], object], on_completed: Callable[[], object], /
    ) -> Disposable: ...


class _Line(Listeners):
    """Where the events of several sources come one at a time, for one run. The sources end with it."""

    __slots__ = ("_sources",)

    def __init__(self) -> None:
        super().__init__()
        self._sources: list[Disposable] = []

    def follow(self, run: Callbacks, source: Startable, put: Callable[[Any], object], feed: Feed, decides: bool) -> None:
        """Subscribes to a source. `put` and `feed` retain the line. `decides`: the completion of this source completes the subscription, and pauses of
        the subscription pause this source."""
        if not run._open:
            return

        def receive(value: Any) -> None:
            put(value)
            if not run._open:
                stop()

        if decides and (buffer := run.buffer):
            started = source._start_reading(buffer, receive, feed.fail, feed.complete)
        else:
            started = source.start(receive, on_error=feed.fail, on_completed=feed.complete if decides else None)
        self._sources.append(started)
        if not run._open:
            self._leave()

    def remove(self, run: Callbacks) -> None:
        super().remove(run)
        self._leave()

    def _end(self, end: End) -> None:
        super()._end(end)
        self._leave()

    def let_go(self) -> None:
        """No further value can arrive. The subscription retains the line, and disposes the sources through it."""
        self._gone = True
        for run in self._clear(keeps_line=True):
            run._let_go()

    def _leave(self) -> None:
        try:
            while True:
                self._sources.pop().dispose()
        except IndexError:  # of several threads one gets each of them
            pass


class _Beside:
    """A value of the other source, in line."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


class WithLatest:
    """The values of a signal, each with the latest one of another."""

    __slots__ = ("_signal", "_other", "_function")

    def __init__(self, signal: Startable, other: Startable, function: Callable[[Any, Any], Any]) -> None:
        self._signal, self._other, self._function = signal, other, function

    def add(self, run: Callbacks) -> None:
        latest, function, receive = NONE, self._function, run.receive

        def pair(value: Any) -> None:
            nonlocal latest
            if type(value) is _Beside:
                latest = value.value
            elif latest is not NONE:
                receive(function(value, latest))

        run.receive = pair
        line = _Line()
        feed = Feed(line)
        put = line.putting(feed)
        line.add(run)
        line.follow(run, self._other, lambda value: put(_Beside(value)), feed, decides=False)
        line.follow(run, self._signal, put, feed, decides=True)

    def remove(self, run: Callbacks) -> None:
        pass  # it is in a line

    async def idle(self) -> None:
        pass
