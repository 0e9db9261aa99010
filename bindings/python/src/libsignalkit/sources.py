"""Sources that are fed by hand, and sources that hold a value."""

from __future__ import annotations

from typing import Any, Callable, Generic, TypeVar

from ._contexts import contexts, register
from ._library import ENDED, Handle, ModifyFn, Value, callback, lib, succeeded
from ._listeners import Feed, Listeners, ReplayingListeners
from ._values import decode, owned, passing
from .signal import Signal

__all__ = ["Pipe", "Promise", "Sequencer", "State", "ValuePromise"]

T = TypeVar("T")


class Pipe(Generic[T]):
    """A source that is fed by hand; what is put in reaches everybody who listens then. With `replay`, who starts gets the latest value first.

    Neither the signal nor a run keeps the pipe: when it goes, its runs are let go without an event."""

    __slots__ = ("_listeners", "_signal", "next", "__weakref__")

    next: Callable[[T], object]
    """Delivers a value to those who listen, on this thread; while another value is being delivered, after that, by whoever delivers it. It keeps the
    pipe: `emit = Pipe().next`."""

    def __init__(self, replay: bool = False) -> None:
        self._listeners = ReplayingListeners() if replay else Listeners()
        self._signal: Signal[T] = Signal(None, origin=self._listeners)
        self.next = self._listeners.putting(Feed(self._listeners))

    @property
    def signal(self) -> Signal[T]:
        """Ends by `complete` or `error` alone."""
        return self._signal

    def complete(self) -> None:
        """Ends it: everybody who listens, and who starts later, is told, after the values put before."""
        self._listeners.complete()

    def error(self, error: BaseException) -> None:
        """Ends it with an error: everybody who listens, and who starts later, is told, after the values put before."""
        self._listeners.fail(error)


_absent: Any = object()


class ValuePromise(Generic[T]):
    """Holds a value and passes it on: first the one that is there, then each one that is set. Never ends.

    With `ignore_repeated`, setting a value that equals the one that is there does nothing."""

    __slots__ = ("_handle", "__weakref__")

    def __init__(self, value: T = _absent, ignore_repeated: bool = False) -> None:
        if value is _absent:
            self._handle = Handle(lib.sgk_value_promise_create(ignore_repeated))
        else:
            self._handle = Handle(passing(lib.sgk_value_promise_create_value)(value, ignore_repeated))

    @property
    def value(self) -> T:
        """The value that is there; None when there is none."""
        raw = lib.sgk_value_promise_value(self._handle._handle)
        try:
            return decode(raw.kind, raw.bits)  # type: ignore[no-any-return]
        finally:
            lib.sgk_value_release(raw.kind, raw.bits)

    def set(self, value: T) -> None:
        succeeded(passing(lib.sgk_value_promise_set, self._handle._handle)(value))

    def update(self, function: Callable[[T], T]) -> T:
        """Sets `function(value)` of the newest value, and returns it: no change of another thread's is lost, and none is shown after a newer one.

        `function` is called again when another thread has set a value meanwhile, so it should do nothing but reckon. When it raises, nothing
        changes. What it sets in this object itself takes effect at once, and is then replaced by its result."""
        change = _Change(function)
        context = register(change)
        try:
            status = lib.sgk_value_promise_modify(self._handle._handle, _MODIFY, context)
        finally:
            del contexts[context]
        if change.error is not None:
            raise change.error
        succeeded(status)
        return change.result  # type: ignore[no-any-return]

    @property
    def signal(self) -> Signal[T]:
        return Signal(Handle(lib.sgk_value_promise_get(self._handle._handle)))


class State(ValuePromise[T]):
    """A value that changes, from any thread: `value`, `set`, `update`. Its signal shows each state once, in order, beginning with the current one.

    With `ignore_repeated`, a state that equals the one before is no new one."""

    __slots__ = ()

    def __init__(self, value: T, ignore_repeated: bool = False) -> None:
        super().__init__(value, ignore_repeated)


class _Change:
    """A call of `update`."""

    __slots__ = ("function", "result", "error")

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self.function = function
        self.result: Any = None
        self.error: BaseException | None = None


def _modify(context: int, kind: int, bits: int, place: int) -> int:
    change = contexts[context]
    try:
        change.result = change.function(decode(kind, bits))
        made, result = owned(change.result), Value.from_address(place)
        result.kind, result.bits = made.kind, made.bits
        return 0
    except BaseException as error:
        change.error = error
        return ENDED


_MODIFY = callback(ModifyFn, _modify)


class Promise(Generic[T]):
    """Holds the latest value of whichever signal it was set to last, and passes it on. Never ends."""

    __slots__ = ("_handle", "__weakref__")

    def __init__(self, value: T = _absent) -> None:
        if value is _absent:
            self._handle = Handle(lib.sgk_promise_create())
        else:
            self._handle = Handle(passing(lib.sgk_promise_create_value)(value))

    def set(self, signal: Signal[T]) -> None:
        """Follows `signal` from now on, and nothing of what it followed before."""
        succeeded(lib.sgk_promise_set(self._handle._handle, signal._signal_handle()))

    @property
    def signal(self) -> Signal[T]:
        return Signal(Handle(lib.sgk_promise_get(self._handle._handle)))


class Sequencer:
    """Runs signals one at a time, in the order in which they were started."""

    __slots__ = ("_handle", "__weakref__")

    def __init__(self) -> None:
        self._handle = Handle(lib.sgk_sequencer_create())

    def enqueue(self, signal: Signal[T]) -> Signal[T]:
        """A signal that runs `signal` when its turn has come."""
        return Signal(Handle(lib.sgk_sequencer_enqueue(self._handle._handle, signal._signal_handle())))
