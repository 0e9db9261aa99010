"""Callbacks find their data by a context: a number in this table. Therefore each callback is created once, not once per registration."""

from __future__ import annotations

import ctypes
import itertools
import signal
import threading
from types import CodeType
from typing import Any, Callable

from . import _needed
from ._library import PlainFn, callback, log, postpone, shown

contexts: dict[int, Any] = {}
closing = False  # the interpreter is about to end: see _exit.py
_numbers = itertools.count(1)


def register(what: Any) -> int:
    """A context for `what`, which lives until the library calls `DESTROY` with it."""
    number = next(_numbers)
    contexts[number] = what
    return number


def unhandled(where: str, error: BaseException) -> None:
    """Logs an exception that no signal can deliver. It never reaches the library. An exception of a signal handler is raised later."""
    if of_a_handler(error):
        postpone(error)
    else:
        log.error("exception in %s", where, exc_info=error)


def of_a_handler(error: BaseException) -> bool:
    """Whether a signal handler has raised it, or `sys.exit` on the main thread. It may be the error of a signal that delivers on another thread."""
    if isinstance(error, KeyboardInterrupt):
        return True
    if isinstance(error, SystemExit) and threading.get_ident() == threading.main_thread().ident:
        return True
    if isinstance(error, RecursionError):  # there is little of the stack left
        return False
    handlers = [_place(getattr(signal.getsignal(number), "__code__", None)) for number in signal.valid_signals()]
    trace = error.__traceback__
    while trace and _place(trace.tb_frame.f_code) not in handlers:
        trace = trace.tb_next
    return trace is not None


def _place(code: CodeType | None) -> object:
    """The same for a frame without variables."""
    return code and (code.co_filename, code.co_firstlineno, code.co_name)


def destroy(context: int, contexts: dict[int, Any] = contexts) -> None:  # bound: the library may call when this module has been cleared
    let_go = getattr(contexts.get(context), "_let_go", None)
    if let_go:
        let_go()
    contexts.pop(context, None)


def _work(context: int) -> None:
    if not closing:
        contexts[context].function()


def _work_failed(error: BaseException, context: int) -> None:
    contexts[context].failed(error)


DESTROY = callback(PlainFn, destroy)
WORK = callback(PlainFn, _work, _work_failed)


_CUT = ctypes.c_int, ctypes.c_int64  # ctypes makes them of any number, by its lowest bits


def given(function: Any, name: str | None = None) -> Any:
    """Wraps a function of the library that receives a caller's arguments (or the arguments of `name`). An argument of a wrong type raises a TypeError
    that names it, and a number that does not fit an OverflowError."""

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


def _unhandled_in_work(error: BaseException) -> None:
    unhandled("work for a queue", error)


class Work:
    """A function that the library calls without arguments. `failed` receives its exception, and `stop` prevents the call."""

    __slots__ = ("function", "failed", "stop")

    def __init__(self, function: Callable[[], object], failed: Callable[[BaseException], object] | None = None) -> None:
        self.function = _needed.function("work", function)
        self.failed = failed or _unhandled_in_work
        self.stop: Callable[[], object] | None = None


def work(function: Callable[[], object] | Work) -> tuple[int, int, int]:
    """Function, context and destroy for such a function."""
    return WORK, register(function if isinstance(function, Work) else Work(function)), DESTROY
