"""The upstream end of a subscription."""

from __future__ import annotations

import asyncio
from typing import Callable, Generic, TypeVar

from ._contexts import work
from ._library import Handle, Unique, lib, not_made_of, succeeded
from ._values import emitter, passing_error

T_contra = TypeVar("T_contra", contravariant=True)


def _over() -> bool:
    return False


class Subscriber(Unique, Generic[T_contra]):
    """The subscriber that a generator emits to. Any thread."""

    __slots__ = ("_handle", "next")

    _handle: Handle
    next: Callable[[T_contra], bool]
    """Emits a value. Returns false if the subscription has ended. Then stop."""

    def __init__(self, *what: object) -> None:
        raise not_made_of(Subscriber, *what)

    @classmethod
    def _of(cls, borrowed: int, over: Callable[[], bool] = _over) -> Subscriber[T_contra]:
        made = cls.__new__(cls)
        made._handle = Handle(lib.sgk_retain(borrowed))
        made.next = emitter(made._handle, over)
        return made

    def error(self, error: BaseException) -> bool:
        """Fails the subscription with an error."""
        return bool(passing_error(lib.sgk_subscriber_error, self._handle._handle)(error) == 0)

    def complete(self) -> bool:
        """Completes the subscription."""
        return bool(lib.sgk_subscriber_complete(self._handle._handle) == 0)

    @property
    def is_paused(self) -> bool:
        """Whether a stage asks for a pause, because a buffer with Overflow.PAUSE is full, or because the program holds the subscription. A value that is
        sent nevertheless exceeds the limit."""
        return bool(lib.sgk_subscriber_is_paused(self._handle._handle))

    async def ready(self) -> bool:
        """Waits until no stage asks for a pause. Returns false if the subscription has ended. Then stop."""
        while self.is_paused:
            loop, resumed = asyncio.get_running_loop(), asyncio.Event()

            def resume(loop: asyncio.AbstractEventLoop = loop, resumed: asyncio.Event = resumed) -> None:
                try:
                    loop.call_soon_threadsafe(resumed.set)
                except RuntimeError:
                    pass  # the loop is closed, and nobody waits

            succeeded(lib.sgk_subscriber_on_resume(self._handle._handle, *work(resume), lib.sgk_queue_concurrent_default()))
            await resumed.wait()
        return self.active

    @property
    def active(self) -> bool:
        """Returns whether the subscription is active."""
        return bool(lib.sgk_subscriber_is_active(self._handle._handle))
