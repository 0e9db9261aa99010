"""What stands at the lower end of a run of the library's: a user's callbacks, or the subscriber of a signal further down."""

from __future__ import annotations

import struct
from typing import Any, Callable, Protocol
from weakref import ref

from . import _library as library
from ._contexts import DESTROY, contexts, register, unhandled
from ._library import INT, Handle, callback, checked, lib
from ._stages import Stages
from ._subscriber import Subscriber
from ._values import decode, decode_error
from .disposable import Disposable


def _next(context: int, kind: int, bits: int) -> None:
    receiver = contexts[context]
    try:
        receiver.receive(bits if kind == INT else decode(kind, bits))
    except BaseException as error:
        receiver.fail(error)


def _error(context: int, kind: int, bits: int) -> None:
    try:
        contexts[context].failed(decode_error(kind, bits))
    except BaseException as error:
        unhandled("on_error", error)


def _completed(context: int) -> None:
    try:
        contexts[context].completed()
    except BaseException as error:
        unhandled("on_completed", error)


def _started(context: int, run: int) -> None:
    contexts[context].run = Disposable._of(lib.sgk_disposable_retain(run))


_addresses = (
    callback(library.NextFn, _next), callback(library.NextFn, _error), callback(library.PlainFn, _completed), callback(library.StartedFn, _started)
)
_handlers = struct.Struct("7Q")


def start(signal: int, receiver: Any) -> int:
    """Starts a signal, whose events go to `receiver`."""
    context = register(receiver)
    on_next, on_error, on_completed, started = _addresses
    handlers = _handlers.pack(_handlers.size, context, DESTROY, on_next, on_error, on_completed, started)
    return checked(lib.sgk_signal_start(signal, handlers))


def start_made(receiver: Any, made: Handle | None, make: Callable[[Callable[[BaseException], None]], int] | None) -> int:
    """Starts the signal that is there, or one that is made for this run alone."""
    if made:
        return start(made._handle, receiver)
    assert make
    source = make(receiver.fail)
    try:
        return start(source, receiver)
    finally:
        lib.sgk_release(source)


def _nothing(value: Any) -> None:
    pass


class Stop(Exception):
    """A callback raises it to end its own run, also inside the start, without an event."""


def stop() -> bool:
    raise Stop


class Origin(Protocol):
    """What runs of Python's listen to, without the library."""

    def add(self, run: Run) -> None: ...
    def remove(self, run: Run) -> None: ...


class Run(Disposable):
    """A run with a user's callbacks. Where one of them raises, the run ends with that as the error."""

    __slots__ = ("receive", "run", "_open", "_on_error", "_on_completed", "_source", "_name", "_stopper")
    receive: Callable[[Any], object]

    def __init__(
        self,
        on_next: Callable[[Any], object] | None,
        on_error: Callable[[BaseException], object] | None,
        on_completed: Callable[[], object] | None,
        stages: Stages,
        name: str | None = None,
    ) -> None:
        self._handle = 0
        self._name = name
        self.run: Disposable | None = None  # inside the start
        self._open = True
        self._on_error = on_error
        self._on_completed = on_completed
        self._source: Origin | None = None
        self.receive = stages.fuse(on_next or _nothing, self)

    def __repr__(self) -> str:
        if self._handle:
            return super().__repr__()
        return f"<Run: {'running' if self._open else 'over'}>"

    def dispose(self) -> None:
        self._stop()
        self._let_go()

    stop = dispose

    def _as_member(self) -> int:
        if self._handle:
            return self._handle
        if not hasattr(self, "_stopper"):  # one run of Python's is always this one, so that a set finds it again
            this = ref(self)  # whom the source keeps as long as it runs

            def stop() -> None:
                if run := this():
                    run.dispose()

            self._stopper = Disposable.action(stop)  # made when it is needed: most runs are held by nobody but their starters
        return self._stopper._handle

    def _stop(self) -> None:
        self._open = False
        source, self._source = self._source, None
        if source:
            source.remove(self)
        elif self._handle:
            lib.sgk_disposable_dispose(self._handle)
        elif self.run:
            self.run.dispose()

    def fail(self, error: BaseException) -> None:
        """Ends the run with an exception that a callback or a stage raised."""
        if isinstance(error, Stop):
            self.dispose()
            return
        if not self._open:
            unhandled("a callback of a run that has ended", error)
            return
        on_error = self._on_error  # stopping may drop it
        self._stop()
        self._tell(on_error, error)

    def failed(self, error: BaseException) -> None:
        self._tell(self._on_error, error)

    def _tell(self, on_error: Callable[[BaseException], object] | None, error: BaseException) -> None:
        self._let_go()
        if on_error is None:
            name = f"the signal {self._name!r}" if self._name else "a signal"
            unhandled(f"{name} that nobody handles the errors of", error)
            return
        try:
            on_error(error)
        except BaseException as another:
            unhandled("on_error", another)

    def completed(self) -> None:
        on_completed = self._on_completed
        self._let_go()
        if on_completed:
            try:
                on_completed()
            except BaseException as error:
                unhandled("on_completed", error)

    def _let_go(self) -> None:
        """Drops the callbacks: also those of a run whose source has vanished without an end."""
        self._open = False
        self.receive = _nothing
        self._on_error = self._on_completed = None


class Relay:
    """Passes a run's events through stages to a subscriber of the library's. `run` is there inside the start: afterwards the subscriber stops it."""

    __slots__ = ("receive", "run", "failed", "completed", "stop", "__weakref__")

    def __init__(self, subscriber: int, stages: Stages) -> None:
        this = ref(self)

        def over() -> bool:
            """Nobody listens below: a source that emits in a loop has to stop."""
            if (relay := this()) and relay.run:
                relay.run.dispose()
            return False

        below: Subscriber[Any] = Subscriber._of(subscriber, over)
        self.run: Disposable | None = None
        self.receive: Callable[[Any], object] = stages.fuse(below.next)
        self.failed = below.error
        self.completed = self.stop = below.complete

    def fail(self, error: BaseException) -> None:
        if not self.failed(error):
            unhandled("a stage of a run that has ended", error)
        if run := self.run:
            run.dispose()

    def _let_go(self) -> None:
        self.receive = _nothing
