"""Backpressure for a source that emits on its reader's thread: it cannot block there, so it pauses and resumes later."""

from __future__ import annotations

import threading
from typing import Callable, Protocol

from .disposable import Disposable


class Full(Protocol):
    """A buffer that can be without space."""

    @property
    def is_full(self) -> bool:
        """Whether it asks its sources for a pause."""

    def when_room(self, go_on: Callable[[], object]) -> None:
        """Calls `go_on()` once, later, when there is space again or the reader has ended."""


class Reading(Full, Protocol):
    """A buffer that starts a signal."""

    def known(self, run: Disposable) -> None:
        """Receives the run inside the start, if it is one of the library."""


class Brake:
    """The pause for which a full buffer asks. Its methods are called under the lock of the buffer, so that no pause is left over."""

    __slots__ = ("run", "is_on", "waiting", "_hold")

    def __init__(self) -> None:
        self.run: Disposable | None = None  # if it is one of the library, which can be paused
        self.is_on = False
        self.waiting: list[Callable[[], object]] = []  # sources that continue afterwards
        self._hold: Disposable | None = None

    def pull(self) -> None:
        if not self.is_on:
            self.is_on = True
            self._hold = self.run.hold() if self.run else None

    def release(self) -> tuple[list[Callable[[], object]], list[Callable[[], object]]]:
        """Returns two lists of functions to call behind the lock: the sources that wait, and what resumes the run."""
        self.is_on = False
        waiting, self.waiting = self.waiting, []
        hold, self._hold = self._hold, None
        return waiting, [hold.dispose] if hold else []


class _Here(threading.local):
    full: list[Full] | None = None  # None: the source here cannot wait


_here = _Here()


class emitting:
    """`with emitting() as full:` around the emissions of a source that can wait. `full` contains the buffers that an emission filled. The source then
    returns, and continues when each of them has space."""

    __slots__ = ("_outer",)

    def __enter__(self) -> list[Full]:
        self._outer = _here.full
        full: list[Full] = []
        _here.full = full
        return full

    def __exit__(self, *error: object) -> None:
        _here.full = self._outer


def ask_to_wait(full: Full) -> None:
    """Asks the source that emits on this thread, if it can wait, to continue when `full` has space."""
    if _here.full is not None and full not in _here.full:
        _here.full.append(full)


def when_all_have_room(full: list[Full], go_on: Callable[[], object]) -> None:
    """Calls `go_on()` when each buffer has space. The last one calls it. If that is a stage of the library, which asks after the buffer below it, the
    call is work of the loop."""

    def next_one() -> None:
        if full:
            full.pop(0).when_room(next_one)
        else:
            go_on()

    next_one()
