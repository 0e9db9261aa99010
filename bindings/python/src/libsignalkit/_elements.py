"""The elements of an iterable, as a source that never leaves Python."""

from __future__ import annotations

from typing import Any, Iterable, Iterator

from ._pressure import emitting, when_all_have_room
from ._runs import Callbacks


class Elements:
    """Emits them inside each start. If the buffer of an `async for` on this thread is full, emission continues from the loop when there is space."""

    __slots__ = ("_iterable",)

    def __init__(self, iterable: Iterable[Any]) -> None:
        self._iterable = iterable

    def add(self, run: Callbacks) -> None:
        run._source = self
        try:
            elements = iter(self._iterable)
        except BaseException as error:
            return run.fail(error)
        self._emit(run, elements)

    def remove(self, run: Callbacks) -> None:
        pass  # the source checks the subscription

    async def idle(self) -> None:
        pass  # it emits inside the start, or on the loop

    def _emit(self, run: Callbacks, elements: Iterator[Any]) -> None:
        try:
            with emitting() as full:
                for value in elements:
                    run.receive(value)
                    if full or not run._open:
                        break
                else:
                    return run.completed()
        except BaseException as error:
            return run.fail(error)
        if run._open:
            when_all_have_room(full, lambda: self._emit(run, elements) if run._open else None)
