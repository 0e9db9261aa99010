"""Disposables, which stop an activity once."""

from __future__ import annotations

from types import TracebackType
from typing import Callable

from . import _needed
from ._contexts import work
from ._library import Handle, checked, lib, not_made_of, succeeded

__all__ = ["Disposable", "DisposableBag", "DisposableSlot"]


class Disposable(Handle):
    """Disposes once, at the first call, from any thread; also `with disposable:`. Releasing it does not dispose.

    `async with signal.start(f):` also waits, without blocking the loop, until no callback of the subscription runs on another thread."""

    __slots__ = ()

    def __init__(self, *what: object) -> None:
        raise not_made_of(Disposable, *what)

    @classmethod
    def action(cls, function: Callable[[], object]) -> Disposable:
        """One that calls `function` when it is disposed."""
        return Disposable._of(lib.sgk_action_disposable_create(*work(function)))

    def __repr__(self) -> str:
        """Returns whether a subscription is running, has ended, or was disposed by the program or an operator (`take`)."""
        state: bytes = lib.sgk_disposable_state(self._handle)
        return f"<{type(self).__name__}: {state.decode()}>"

    def dispose(self) -> None:
        """Stops it, unless that has been done."""
        succeeded(lib.sgk_disposable_dispose(self._handle))

    def hold(self) -> Disposable:
        """Pauses the source of a subscription until the result is disposed or released: `with subscription.hold():`.

        Holds are counted. Values that wait for a queue or a time go on waiting. A source that cannot be paused
        keeps emitting. A subscription that belongs to Python, such as one of a pipe, cannot be held (UsageError)."""
        return Disposable._of(lib.sgk_disposable_hold(self._as_member()))

    def _as_member(self) -> int:
        """The handle by which another one disposes it; borrowed."""
        return self._handle

    def __enter__(self) -> Disposable:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.dispose()

    async def __aenter__(self) -> Disposable:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self._dispose_and_wait()

    async def _dispose_and_wait(self) -> None:
        self.dispose()


class DisposableSlot(Disposable):
    """Holds at most one other, which is disposed with it, or when another one takes its place."""

    __slots__ = ()

    def __init__(self) -> None:
        Handle.__init__(self, lib.sgk_disposable_slot_create())

    def set(self, child: Disposable | None) -> None:
        """Holds this one from now on, or none; the one that was held is disposed."""
        succeeded(lib.sgk_disposable_slot_set(self._handle, _needed.instance("DisposableSlot.set", Disposable, child)._as_member() if child is not None else None))


class DisposableBag(Disposable):
    """Holds any number of others, which are disposed with it in the order in which they were added."""

    __slots__ = ()

    def __init__(self, *members: Disposable) -> None:
        Handle.__init__(self, lib.sgk_disposable_bag_create())
        for member in members:
            self.add(member)

    def add(self, member: Disposable) -> None:
        """Holds this one as well; disposes it at once where that has been done to all."""
        succeeded(lib.sgk_disposable_bag_add(self._handle, _needed.instance("DisposableBag.add", Disposable, member)._as_member()))

    def remove(self, member: Disposable) -> None:
        """Takes it out, without disposing it."""
        succeeded(lib.sgk_disposable_bag_remove(self._handle, _needed.instance("DisposableBag.remove", Disposable, member)._as_member()))


def disposable_handle(what: Disposable | Callable[[], object] | None) -> int:
    """Returns the owned handle of a generator's result."""
    if what is None:
        return 0
    if isinstance(what, Disposable):
        return checked(lib.sgk_retain(what._as_member()))
    if callable(what):
        return checked(lib.sgk_action_disposable_create(*work(what)))
    raise TypeError(f"a generator returns a Disposable, a function or None, not {what!r}")
