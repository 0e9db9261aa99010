"""What callbacks find by their context: a number in this table, so a callback is a function made once and not one per registration."""

from __future__ import annotations

import itertools
import logging
from typing import Any, Callable

from . import _needed
from ._library import PlainFn, callback

log = logging.getLogger("libsignalkit")

contexts: dict[int, Any] = {}
closing = False  # the interpreter is about to end: see _exit.py
_numbers = itertools.count(1)


def register(what: Any) -> int:
    """A context for `what`, which lives until the library calls `DESTROY` with it."""
    number = next(_numbers)
    contexts[number] = what
    return number


def unhandled(where: str, error: BaseException) -> None:
    """An exception that no signal can carry any more: it goes to the log, never across the border."""
    log.error("exception in %s", where, exc_info=error)


def destroy(context: int, contexts: dict[int, Any] = contexts) -> None:  # bound: the library may call when this module has been cleared
    gone = contexts.pop(context, None)
    try:
        let_go = getattr(gone, "_let_go", None)
        if let_go:
            let_go()
        del gone
    except BaseException as error:
        unhandled("a destructor", error)


def _work(context: int) -> None:
    try:
        if not closing:
            contexts[context].function()
    except BaseException as error:
        unhandled("work for a queue", error)


DESTROY = callback(PlainFn, destroy)
WORK = callback(PlainFn, _work)


class Work:
    """A function that the library calls without arguments. `stop` is what keeps it from that."""

    __slots__ = ("function", "stop")

    def __init__(self, function: Callable[[], object]) -> None:
        self.function = _needed.function("work", function)
        self.stop: Callable[[], object] | None = None


def work(function: Callable[[], object] | Work) -> tuple[int, int, int]:
    """Function, context and destroy for such a function."""
    return WORK, register(function if isinstance(function, Work) else Work(function)), DESTROY
