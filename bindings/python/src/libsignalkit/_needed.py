"""Checks of arguments. An error names the expected type and the actual one."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from inspect import CO_COROUTINE as _COROUTINE
from types import CodeType
from typing import Any, TypeVar, Union

Seconds = Union[float, timedelta]
T = TypeVar("T")


def called(name: str, what: Any) -> Any:
    if not callable(what):
        raise TypeError(f"{name} needs a function, not {what!r}")
    return what


def function(name: str, what: Any, wanted: str = "a function") -> Any:
    """Checks for a function whose result is used at once. Nobody would await a coroutine."""
    if not callable(what):
        raise TypeError(f"{name} needs {wanted}, not {what!r}")
    code = getattr(what, "__code__", None)
    if type(code) is CodeType and code.co_flags & _COROUTINE:
        raise TypeError(f"{name} needs {wanted}, not the coroutine function {what!r}, which map_async awaits")
    return what


def too_large(name: str, what: int) -> OverflowError:
    return OverflowError(f"{name} was given too large a number, of {what.bit_length()} bits")


def number(name: str, what: Any) -> float:
    if not hasattr(what, "__float__"):
        raise TypeError(f"{name} needs a number, not {what!r}")
    try:
        return float(what)
    except OverflowError:
        raise too_large(name, what) from None


def seconds(name: str, what: Any) -> float:
    return what.total_seconds() if isinstance(what, timedelta) else number(name, what)


def whole(name: str, what: Any) -> Any:
    if not isinstance(what, int):
        raise TypeError(f"{name} needs a whole number, not {what!r}")
    return what


def limit(name: str, parameter: str, what: Any, least: int = 1) -> int:
    """Checks for a maximum. None means that there is none, and becomes -1, which the library takes for it."""
    if what is None:
        return -1
    number: int = whole(name, what)
    if number.bit_length() > 63:
        raise too_large(name, number)
    if number < least:
        raise ValueError(f"{name}: {parameter} must be {least} or more, or None")
    return number


def timeout(name: str, what: Any) -> float:
    limit = seconds(name, what)
    if not limit >= 0:
        raise ValueError(f"{name}: timeout must be 0 or more")
    return limit


def signal(name: str, what: Any) -> Any:
    """Checks for a signal by attribute, because this module cannot import Signal."""
    if not hasattr(what, "_signal_handle"):
        raise TypeError(f"{name} needs a Signal, not {what!r}")
    return what


def text(name: str, what: Any) -> bytes:
    """As the library has texts."""
    return instance(name, str, what).encode(errors="replace")


def loop(name: str, what: Any) -> asyncio.AbstractEventLoop:
    """By default the one that runs."""
    if what is None:
        return asyncio.get_running_loop()
    if not isinstance(what, asyncio.AbstractEventLoop):
        raise TypeError(f"{name} needs an asyncio loop, not {what!r}")
    return what


def given(name: str, what: T) -> T:
    """Checks for an argument that another function replaces if it is None."""
    if what is None:
        raise TypeError(f"{name} needs a Queue or an asyncio loop, not None")
    return what


def iterable(name: str, what: Any) -> Any:
    if not hasattr(what, "__iter__") and not hasattr(what, "__getitem__"):
        raise TypeError(f"{name} needs an iterable, not {what!r}")
    return what


def instance(name: str, kind: type[T], what: Any) -> T:
    if not isinstance(what, kind):
        raise TypeError(f"{name} needs a {kind.__name__}, not {what!r}")
    return what
