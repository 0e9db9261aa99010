"""What callbacks find by their context: a number in this table, so a callback is a function made once and not one per registration."""

from __future__ import annotations

import ctypes
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


def shown(name: str) -> str:
    """What Python calls a function of the library's that makes signals."""
    return name.removeprefix("sgk_").removeprefix("signal_").removesuffix("_edges").removesuffix("_within").removesuffix("_on_error").removesuffix("_fd")


_CUT = ctypes.c_int, ctypes.c_int64  # ctypes makes them of any number, by its lowest bits


def given(function: Any, name: str | None = None) -> Any:
    """A function of the library's, called with what somebody has given to it, or to `name`: what should be a number and is none is a TypeError that says
    so, and one that does not fit an OverflowError."""

    def call(*arguments: Any) -> Any:
        try:
            for kind, argument in zip(function.argtypes, arguments):
                if kind in _CUT and isinstance(argument, int) and kind(argument).value != argument:
                    raise _needed.too_large(name or shown(function.__name__), argument)
            return function(*arguments)
        except (ctypes.ArgumentError, OverflowError) as error:
            if DESTROY in arguments:  # which nobody will call
                destroy(arguments[arguments.index(DESTROY) - 1])
            if isinstance(error, OverflowError):
                raise
            place = int(str(error).split()[1].rstrip(":")) - 1
            what, called = arguments[place], name or shown(function.__name__)
            if isinstance(what, int):
                raise _needed.too_large(called, what) from None
            wanted = "a number" if function.argtypes[place] is ctypes.c_double else "a whole number"
            raise TypeError(f"{called} needs {wanted}, not {what!r}") from None

    return call


class Work:
    """A function that the library calls without arguments. `stop` is what keeps it from that."""

    __slots__ = ("function", "stop")

    def __init__(self, function: Callable[[], object]) -> None:
        self.function = _needed.function("work", function)
        self.stop: Callable[[], object] | None = None


def work(function: Callable[[], object] | Work) -> tuple[int, int, int]:
    """Function, context and destroy for such a function."""
    return WORK, register(function if isinstance(function, Work) else Work(function)), DESTROY
