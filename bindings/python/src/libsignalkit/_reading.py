"""The reader through which a thread requests the values of a signal."""

from __future__ import annotations

import math
import threading
import time
from ctypes import addressof, sizeof
from itertools import starmap
from typing import Any, Callable, Generic, Protocol, TypeVar

from . import _needed
from ._iteration import NoValueError, OverflowedError
from ._kinds import POLICIES, Overflow, Waiting, overflow_policy
from ._library import ENDED, Bound, Handle, Owned, Unique, Value, finalizer, lib, owning, succeeded, waiting
from ._needed import Seconds
from ._stages import BEFORE
from ._values import decode, decode_error, owned

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

_TIMEOUT, _COMPLETED, _FAILED = -8, -11, -12
_SLICE = 0.1  # seconds, between which Python gets to what signals of the system (Ctrl-C) have left for it
_UNBOUNDED = 2**63 - 1
_FOR_EVER = math.inf


class _Room:
    """Blocks emitting threads until there is space. The wait is outside the library, because a wait inside would hold the GIL, which the reader needs."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._changed = threading.Condition()
        self._count = 0
        self._closed = False
        self.reader = threading.get_ident()

    def enter(self, _value: object) -> None:
        with self._changed:
            # The reading thread would wait for itself.
            while self._count >= self._limit and not self._closed and self.reader != threading.get_ident():
                self._changed.wait()
            self._count += 1

    def leave(self) -> None:
        with self._changed:
            self._count -= 1
            self._changed.notify()

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()


class Readable(Protocol[T_co]):
    """A signal, as far as it is read here."""

    def _signal_handle(self) -> int: ...
    def _with(self, kind: str, function: Callable[..., Any]) -> Readable[Any]: ...


def _finish(reader: Any) -> None:
    if room := getattr(reader, "_room", None):
        room.close()
    for _, value in getattr(reader, "_left", ()):
        lib.sgk_value_release(value.kind, value.bits)


class Reader(Unique, Generic[T]):
    """The values of a subscription, on request: `for value in signal.iterate()`. It ends with the signal or with `close`, and raises the signal's error.
    The end of a `with` block closes it, and so does its release.

    On the main thread a wait runs the main queue. A wait inside the work of a serial queue raises a UsageError."""

    __slots__ = ("_handle", "_timeout", "_room", "_error", "_left", "__weakref__")

    def __init__(self, signal: Readable[T], limit: int, overflow: Waiting, timeout: Seconds | None) -> None:
        self._room: _Room | None = None
        self._left: list[tuple[int, Any]] = []  # an event that an interrupt has left to the next call
        _needed.signal("Reader", signal)
        if _needed.whole("iterate", limit) < 1:
            raise ValueError("iterate: limit must be 1 or more")
        if limit > _UNBOUNDED:
            raise _needed.too_large("iterate", limit)
        policy = overflow_policy("iterate", overflow, waits=True, pauses=True)
        if policy is Overflow.WAIT:
            self._room = _Room(limit)
            signal, limit = signal._with(BEFORE, self._room.enter), _UNBOUNDED
        self._timeout = _FOR_EVER if timeout is None else _needed.timeout("iterate", timeout)
        error = OverflowedError(f"{limit} values wait already") if policy is Overflow.ERROR else None
        self._error: BaseException | None = None
        made: list[Owned] = []
        given = owned(error)
        bound = Bound(sizeof(Bound), limit, POLICIES[policy], 0, None, given)
        try:
            owning(made, lib.sgk_reader_create, signal._signal_handle(), addressof(bound))
        finally:
            lib.sgk_value_release(given.kind, given.bits)
        self._handle: Handle | None = Handle(made.pop())

    __del__ = finalizer(_finish)

    def __iter__(self) -> Reader[T]:
        return self

    def __next__(self) -> T:
        try:
            return self.next(self._timeout)
        except NoValueError:
            raise StopIteration from None

    def next(self, timeout: Seconds = _FOR_EVER) -> T:
        """The next value, for which it waits. Raises the signal's error, NoValueError at the end or when it is closed, TimeoutError."""
        if self._room:
            self._room.reader = threading.get_ident()
        seconds = timeout if type(timeout) is float and timeout >= 0 else _needed.timeout("next", timeout)
        deadline = time.monotonic() + seconds
        while True:
            if not self._handle:
                raise self._error or NoValueError("the reader is closed, or at its end")
            status, value = self._ask(min(_SLICE, max(deadline - time.monotonic(), 0.0)))
            if status != _TIMEOUT or time.monotonic() >= deadline:
                return self._result(status, value)

    def _ask(self, seconds: float) -> tuple[int, Any]:
        """Returns an event. An interrupt during the wait leaves the event to the next call. See `owning` for `extend`."""
        statuses: list[int] = []
        value = Value()
        handle = self._handle  # kept during the call, and by no frame that an exception keeps
        try:
            if self._left or not handle:
                return self._left.pop() if self._left else (ENDED, value)
            statuses.extend(starmap(waiting.sgk_reader_next, ((handle._handle, seconds, addressof(value)),)))
            return statuses[0], value
        except BaseException:
            if statuses and statuses[0] != _TIMEOUT:
                self._left.append((statuses[0], value))
            raise

    def _result(self, status: int, value: Any) -> T:
        try:
            if status == 0:
                if self._room:
                    self._room.leave()
                return decode(value.kind, value.bits)  # type: ignore[no-any-return]
            if status == _FAILED:
                # A raised exception retains the frames that it passes, and therefore this object. Only Python may retain both.
                self._error, self._handle = decode_error(value.kind, value.bits), None
                raise self._error
        finally:
            lib.sgk_value_release(value.kind, value.bits)
        if status == _TIMEOUT:
            raise TimeoutError("no value in time")
        if status not in (_COMPLETED, ENDED):
            succeeded(status)
        raise NoValueError("the signal has ended")

    def close(self) -> None:
        """Disposes the subscription and wakes a waiting reader. Any thread."""
        if self._room:
            self._room.close()
        if handle := self._handle:
            succeeded(lib.sgk_reader_close(handle._handle))

    def __enter__(self) -> Reader[T]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
