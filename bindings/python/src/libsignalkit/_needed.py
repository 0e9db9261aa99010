"""What an argument has to be: who is given something else says so, and what it was."""

from __future__ import annotations

from typing import Any, TypeVar

T = TypeVar("T")


def function(name: str, what: Any) -> Any:
    if not callable(what):
        raise TypeError(f"{name} needs a function, not {what!r}")
    return what


def number(name: str, what: Any) -> Any:
    if not isinstance(what, (int, float)):
        raise TypeError(f"{name} needs a number, not {what!r}")
    return what


def instance(name: str, kind: type[T], what: Any) -> T:
    if not isinstance(what, kind):
        raise TypeError(f"{name} needs a {kind.__name__}, not {what!r}")
    return what
