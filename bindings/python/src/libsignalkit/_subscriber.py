"""The upstream end of a subscription."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Callable, Generic, TypeVar

from ._contexts import Work, work
from ._library import Handle, Unique, lib, not_made_of, succeeded
from ._loops import continuing_on
from ._values import emitter, obeying, passing_error
from .disposable import Disposable

T_contra = TypeVar("T_contra", contravariant=True)


def _over() -> bool:
    return False


class Pause:
    """A pause that a stage of the library asks for, as a buffer without space: see _pressure.py."""

    __slots__ = ("_handle", "_run", "_hold", "__weakref__")

    def __init__(self, handle: Handle) -> None:
        self._handle = handle
        self._run: Disposable | None = None
        self._hold: Disposable | None = None

    def known(self, run: Disposable) -> None:
        """Receives the run of a source of the library."""
        self._run = run

    def pull(self) -> None:
        """Holds that run, until no stage asks for the pause any more."""
        if self._run and not self._hold:
            self._hold = self._run.hold()
            self.when_resumed(self._resume)

    def _resume(self) -> None:
        hold, self._hold = self._hold, None
        if hold:
            hold.dispose()

    @property
    def is_full(self) -> bool:
        return bool(lib.sgk_subscriber_is_paused(self._handle._handle))

    def when_room(self, go_on: Callable[[], object]) -> None:
        """Calls `go_on()` once after the pause or the end: on the loop that runs here, unless it is closed before, or else on the concurrent default
        queue."""
        self._when_resumed(Work(go_on))

    def when_resumed(self, resume: Callable[[], object]) -> None:
        """The same, but if the loop is closed before, `resume()` is called then."""
        self._when_resumed(_Certain(resume))

    def _when_resumed(self, function: Work) -> None:
        loop = asyncio._get_running_loop()
        queue = continuing_on(loop)._handle if loop else lib.sgk_queue_concurrent_default()
        succeeded(lib.sgk_subscriber_on_resume(self._handle._handle, *work(function), queue))


class _Certain(Work):
    """Calls a function when it runs, or when it is released without having run."""

    __slots__ = ()

    def __init__(self, function: Callable[[], object]) -> None:
        calls = [function]

        def once() -> None:
            if calls:
                calls.pop()()

        super().__init__(once)

    def _let_go(self) -> None:
        self.function()


class Subscriber(Unique, Generic[T_contra]):
    """The subscriber that a generator emits to. Any thread."""

    __slots__ = ("_handle", "_pause", "next")

    _handle: Handle
    _pause: Pause  # of one that looks for pauses
    next: Callable[[T_contra], bool]
    """Emits a value. Returns false if the subscription has ended. Then stop."""

    def __init__(self, *what: object) -> None:
        raise not_made_of(Subscriber, *what)

    @classmethod
    def _of(
        cls, borrowed: int, over: Callable[[], bool] = _over, pause: Callable[[Pause], object] | None = None, blocks: bool = False
    ) -> Subscriber[T_contra]:
        """`pause` is called behind each value that meets a pause. `blocks`: a stage below can block the thread that emits."""
        made = cls.__new__(cls)
        made._handle = Handle(lib.sgk_retain(borrowed))
        made.next = emitter(made._handle, over, blocks)
        if pause:
            made._pause = Pause(made._handle)
            made.next = obeying(made._handle, made.next, partial(pause, made._pause))
        return made

    def error(self, error: BaseException) -> bool:
        """Fails the subscription with an error."""
        return bool(passing_error(lib.sgk_subscriber_error, self._handle._handle)(error) == 0)

    def complete(self) -> bool:
        """Completes the subscription."""
        return bool(lib.sgk_subscriber_complete(self._handle._handle) == 0)

    @property
    def is_paused(self) -> bool:
        """Whether a stage asks for a pause, because the buffer of an `async for` is full, or because the program holds the subscription. A value that is
        sent nevertheless exceeds the limit."""
        return bool(lib.sgk_subscriber_is_paused(self._handle._handle))

    async def ready(self) -> bool:
        """Waits until no stage asks for a pause. Returns false if the subscription has ended. Then stop."""
        while self.is_paused:
            resumed = asyncio.Event()
            Pause(self._handle).when_room(resumed.set)
            await resumed.wait()
        return self.active

    @property
    def active(self) -> bool:
        """Returns whether the subscription is active."""
        return bool(lib.sgk_subscriber_is_active(self._handle._handle))
