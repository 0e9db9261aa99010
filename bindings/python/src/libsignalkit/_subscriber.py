"""The upper end of a run."""

from __future__ import annotations

from typing import Generic, TypeVar

from ._library import Handle, lib
from ._values import emitter

T_contra = TypeVar("T_contra", contravariant=True)


class Subscriber(Generic[T_contra]):
    """What a generator emits into. Any thread."""

    __slots__ = ("_handle", "_next")

    def __init__(self, borrowed: int) -> None:
        self._handle = Handle(lib.sgk_subscriber_retain(borrowed))
        self._next = emitter(lib.sgk_subscriber_next, borrowed)

    def next(self, value: T_contra) -> bool:
        """Emits a value. False when the run is over: then stop."""
        return self._next(value) == 0

    def error(self, error: BaseException) -> bool:
        """Ends the run with an error."""
        return emitter(lib.sgk_subscriber_error, self._handle._handle)(error) == 0

    def complete(self) -> bool:
        """Ends the run."""
        return bool(lib.sgk_subscriber_complete(self._handle._handle) == 0)

    @property
    def active(self) -> bool:
        """Whether values still arrive anywhere."""
        return bool(lib.sgk_subscriber_is_active(self._handle._handle))
