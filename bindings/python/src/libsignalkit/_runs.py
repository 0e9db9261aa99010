"""The receivers of the library's subscriptions: a user's callbacks, or the subscriber of a signal downstream."""

from __future__ import annotations

import asyncio
import struct
from typing import Any, Callable, Protocol
from weakref import ref

from . import _library as library
from ._contexts import DESTROY, contexts, register, unhandled
from ._library import INT, Handle, Owned, callback, checked, lib, owning, waiting
from ._pressure import Reading
from ._stages import Stages, note
from ._subscriber import Pause, Subscriber
from ._values import decode, decode_error, raisable
from .disposable import Disposable


# The library reads the first word of a callback's result. Its `reserved` field decides whether the subscription continues.
_UNCHANGED, _FAILED = 16 << 32, 18 << 32


def _next(context: int, kind: int, bits: int) -> None:
    contexts[context].receive(bits if kind == INT else decode(kind, bits))


def _next_failed(error: BaseException, context: int, kind: int, bits: int) -> None:
    contexts[context].fail(error)


def _receive(context: int, kind: int, bits: int) -> int:
    contexts[context].receive(bits if kind == INT else decode(kind, bits))
    return _UNCHANGED


def _receive_failed(error: BaseException, context: int, kind: int, bits: int) -> int:
    return _FAILED if contexts[context].ends_with(error) else _UNCHANGED


def _error(context: int, kind: int, bits: int) -> None:
    contexts[context].failed(decode_error(kind, bits))


def _completed(context: int) -> None:
    contexts[context].completed()


def _started(context: int, run: int) -> None:
    contexts[context].started(Disposable._of(lib.sgk_retain(run)))


_NEXT, _RECEIVE = callback(library.NextFn, _next, _next_failed), callback(library.ReceiveFn, _receive, _receive_failed)
_ERROR, _COMPLETED = callback(library.NextFn, _error), callback(library.PlainFn, _completed)
_STARTED = callback(library.StartedFn, _started)
_handlers = struct.Struct("8Q")


def start(signal: int, receiver: Any, started: int, next: int, receive: int, create: Any = lib.sgk_signal_start) -> Owned:
    """Starts a signal, whose events `receiver` gets. An interrupt during the start disposes the subscription."""
    context = register(receiver)
    handlers = _handlers.pack(_handlers.size, context, DESTROY, next, _ERROR, _COMPLETED, started, receive)
    made: list[Owned] = []
    try:
        owning(made, create, signal, handlers)
        return made.pop()
    except BaseException:
        if made:
            lib.sgk_disposable_dispose(made[0])
        raise


def _retained(run: Owned) -> int:
    """A reference for the library to own."""
    return int(lib.sgk_retain(run))


def governed(signal: int) -> int:
    """A signal whose operators know from the start that it will be paused. So each of them accepts only one value of each thread during a pause."""
    never = Handle(lib.sgk_signal_never())
    return checked(lib.sgk_signal_paused_by(signal, never._handle))


def governing(make: Callable[[Callable[[BaseException], None]], int]) -> Callable[[Callable[[BaseException], None]], int]:
    """The same for a signal that is made for each run."""

    def govern(fail: Callable[[BaseException], None]) -> int:
        made = make(fail)
        try:
            return governed(made)
        finally:
            lib.sgk_release(made)

    return govern


def relay_made(relay: Relay, made: Handle | None, make: Callable[[Callable[[BaseException], None]], int] | None) -> int:
    """Starts the signal that is there, or one that is made for this run alone."""
    if made:
        return _retained(start(made._handle, relay, _STARTED, _NEXT, 0))
    assert make
    this = ref(relay)  # weak: the subscription retains its parts, and the relay the subscriber, which may retain the subscription

    def fail(error: BaseException) -> None:
        if relay := this():
            relay.fail(error)
        else:
            unhandled(_ENDED, error)

    source = make(fail)
    try:
        return _retained(start(source, relay, _STARTED, _NEXT, 0))
    finally:
        lib.sgk_release(source)


def _nothing(value: Any) -> None:
    pass


class Stop(Exception):
    """A callback raises it to end its own run, also inside the start, without an event."""


def stop() -> bool:
    raise Stop


class Origin(Protocol):
    """A source of subscriptions in Python, without the library."""

    def add(self, run: Callbacks) -> None: ...
    def remove(self, run: Callbacks) -> None: ...
    async def idle(self) -> None:
        """Returns when no delivery that is in progress now runs on another thread any more."""


class Callbacks(Disposable):
    """The callbacks of a user's subscription. If a callback raises, the subscription fails with that exception. If the source is in Python, this object
    also disposes the subscription. If the source is in the library, a `Run` does that. This object does not retain the `Run`, because the library
    retains this object, and the owner of a subscription may retain its source."""

    __slots__ = ("receive", "run", "_open", "_on_error", "_on_completed", "_source", "_name", "_raised", "_stopper")
    receive: Callable[[Any], object]
    _starts = 0

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
        self.run: Disposable | None = None  # of a signal that is made for this run: inside the start
        self._open = True
        self._on_error = on_error
        self._on_completed = on_completed
        self._source: Origin | None = None
        self._raised: BaseException | None = None  # the error with which the library is about to end the subscription
        self.receive = stages.fuse(on_next or _nothing, self)

    def __repr__(self) -> str:
        return f"<Run: {'running' if self._open else 'over'}>"

    @property
    def buffer(self) -> Reading | None:
        """Who can ask a source for a pause."""
        return None

    def dispose(self) -> None:
        self._stop()
        self._let_go()

    stop = dispose

    async def _dispose_and_wait(self) -> None:
        source = self._source
        self.dispose()
        if source:
            await source.idle()

    def _as_member(self) -> int:
        if not hasattr(self, "_stopper"):  # one run of Python's is always this one, so that a set finds it again
            this = ref(self)  # whom the source keeps as long as it runs

            def stop() -> None:
                if run := this():
                    run.dispose()

            self._stopper = Disposable.action(stop)  # made when it is needed: most runs are held by nobody but their starters
        return self._stopper._handle

    def start(self, made: Handle | None, make: Callable[[Callable[[BaseException], None]], int] | None) -> Run:
        """Starts the signal of the library's that is there, or one that is made for this run alone. A coroutine can wait for the callbacks."""
        create = lib.sgk_signal_start_waitable if asyncio._get_running_loop() else lib.sgk_signal_start
        if made:
            run = Run._with(start(made._handle, self, self._starts, 0, _RECEIVE, create), self)
        else:
            assert make
            source = make(self.fail)
            try:
                run = Run._with(start(source, self, _STARTED, 0, _RECEIVE, create), self)
            finally:
                lib.sgk_release(source)
        self.run = None
        return run

    def started(self, run: Disposable) -> None:
        self.run = run

    def _stop(self) -> None:
        self._open = False
        source, self._source = self._source, None
        if source:
            source.remove(self)
        elif self.run:
            self.run.dispose()

    def fail(self, error: BaseException) -> None:
        """Fails the subscription with an exception from a callback or a stage. A function of a library operator also calls this. After the start, the
        operator's result then ends the subscription."""
        if isinstance(error, Stop):
            self.dispose()
            return
        if not self._open:
            unhandled("a callback of a run that has ended", error)
            return
        note(error)
        on_error = self._on_error  # stopping may drop it
        self._stop()
        self._tell(on_error, error)

    def ends_with(self, error: BaseException) -> bool:
        """Returns whether the library must end the subscription, which calls `failed` then."""
        if not self._open and not isinstance(error, Stop):
            unhandled("a callback of a run that has ended", error)
            return False
        note(error)
        self._open, self._raised = False, error
        return True

    def failed(self, error: BaseException) -> None:
        if isinstance(self._raised, Stop):
            self._let_go()
        else:
            self._tell(self._on_error, self._raised or error)

    def _tell(self, on_error: Callable[[BaseException], object] | None, error: BaseException) -> None:
        """An interrupt comes before the callbacks are dropped, so that this can be called again, or inside of `try`: Python looks for one where a
        function begins or returns."""
        error = raisable(error)
        self._open = False
        self.receive = _nothing
        self._on_error = self._on_completed = self._raised = None
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
        self._open = False
        self.receive = _nothing
        self._on_error = self._on_completed = None  # see _tell
        if on_completed:
            try:
                on_completed()
            except BaseException as error:
                unhandled("on_completed", error)

    def _let_go(self) -> None:
        """Drops the callbacks, also of a subscription whose source was released without an end."""
        self._open = False
        self.receive = _nothing
        self._on_error = self._on_completed = None


class PausingCallbacks(Callbacks):
    """The callbacks of a buffer that pauses its subscription."""

    __slots__ = ("_buffer",)
    _starts = _STARTED

    def __init__(self, buffer: Reading, *callbacks: Any) -> None:
        super().__init__(*callbacks)
        self._buffer = buffer

    def started(self, run: Disposable) -> None:
        super().started(run)
        self._buffer.known(run)

    @property
    def buffer(self) -> Reading:
        return self._buffer


class LibrarysCallbacks(Callbacks):
    """Those of a subscriber of the library, whose stages can ask for a pause."""

    __slots__ = ("_pause",)

    def __init__(self, below: Subscriber[Any], stages: Stages) -> None:
        super().__init__(below.next, below.error, below.complete, stages)
        self._pause = ref(below._pause)  # weak: the callbacks retain it, until they are dropped

    @property
    def buffer(self) -> Reading | None:
        return self._pause()


class Run(Disposable):
    """Disposes a library subscription that has a user's callbacks."""

    __slots__ = ("_callbacks",)
    _callbacks: Callbacks

    @classmethod
    def _with(cls, handle: Owned, callbacks: Callbacks) -> Run:
        run = cls.__new__(cls)
        run._handle, run._callbacks = handle, callbacks
        return run

    def dispose(self) -> None:
        self._callbacks._open = False
        lib.sgk_disposable_dispose(self._handle)
        self._callbacks._let_go()

    async def _dispose_and_wait(self) -> None:
        self.dispose()
        loop = asyncio.get_running_loop()  # a run that was started outside of a loop is refused, and not waited for
        await loop.run_in_executor(None, waiting.sgk_disposable_dispose_and_wait, self._handle)


_ENDED = "a stage of a run that has ended"


class Relay:
    """Passes a subscription's events through stages to a library subscriber, and its pauses to `run`, the subscription of the source."""

    __slots__ = ("receive", "run", "failed", "completed", "stop", "known", "__weakref__")

    def __init__(self, subscriber: int, stages: Stages, blocks: bool) -> None:
        this = ref(self)

        def over() -> bool:
            """Nobody listens below: a source that emits in a loop has to stop."""
            if (relay := this()) and relay.run:
                relay.run.dispose()
            return False

        below: Subscriber[Any] = Subscriber._of(subscriber, over, Pause.pull, blocks)
        self.known = below._pause.known
        self.run: Disposable | None = None
        self.receive: Callable[[Any], object] = stages.fuse(below.next)
        self.failed = below.error
        self.completed = self.stop = below.complete

    def started(self, run: Disposable) -> None:
        self.run = run
        self.known(run)

    def fail(self, error: BaseException) -> None:
        note(error)
        if not self.failed(error):
            unhandled(_ENDED, error)
        if run := self.run:
            run.dispose()

    def _let_go(self) -> None:
        self.run = None
        self.receive = _nothing
