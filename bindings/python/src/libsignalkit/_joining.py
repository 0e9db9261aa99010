"""Sources that meet in Python, for one run."""

from __future__ import annotations

from typing import Any, Callable, Protocol

from ._listeners import NONE, End, Feed, Listeners
from ._runs import Callbacks, stop
from .disposable import Disposable


class Startable(Protocol):
    """A signal, as far as it is followed here."""

    def start(
        self, on_next: Callable[[Any], object], *, on_error: Callable[[BaseException], object], on_completed: Callable[[], object] | None = None
    ) -> Disposable: ...


class _Line(Listeners):
    """Where the events of several sources come one at a time, for one run. The sources end with it."""

    __slots__ = ("_sources",)

    def __init__(self) -> None:
        super().__init__()
        self._sources: list[Disposable] = []

    def follow(self, run: Callbacks, source: Startable, put: Callable[[Any], object], feed: Feed, ends: bool) -> None:
        """Subscribes to a source. `put` and `feed` retain the line. `ends`: the completion of this source completes the subscription."""
        if not run._open:
            return

        def receive(value: Any) -> None:
            put(value)
            if not run._open:
                stop()

        self._sources.append(source.start(receive, on_error=feed.fail, on_completed=feed.complete if ends else None))
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
        line.follow(run, self._other, lambda value: put(_Beside(value)), feed, ends=False)
        line.follow(run, self._signal, put, feed, ends=True)

    def remove(self, run: Callbacks) -> None:
        pass  # it is in a line

    async def idle(self) -> None:
        pass
