"""Tracebacks that retain no variables.

A traceback retains the frames that the exception passed, their callers, and all variables of these frames. Python's collector finds such cycles,
except through the library. A shared signal that stores its error would retain the frames, and these may retain the signal."""

from __future__ import annotations

from types import FunctionType, TracebackType
from typing import Any, Iterator


def follows(error: BaseException, first: BaseException) -> None:
    """Sets the context of an exception that was raised while `first` was handled, as Python does in an `except` block."""
    known: set[int] = set()
    while error is not first and id(error) not in known:
        known.add(id(error))
        if error.__context__ is None:
            error.__context__ = first
            return
        error = error.__context__


def _line() -> Iterator[None]:
    """A generator that has not begun has a frame without variables and without a caller."""
    yield


def without_variables(error: BaseException) -> None:
    """Replaces the tracebacks of an exception and of its causes. The new ones show the same lines and retain nothing."""
    known: set[int] = set()
    errors: list[BaseException | None] = [error]
    while errors:
        one = errors.pop()
        if one is not None and id(one) not in known:
            known.add(id(one))
            one.__traceback__ = _copied(one.__traceback__)
            errors += [one.__cause__, one.__context__, *getattr(one, "exceptions", ())]


def _copied(trace: TracebackType | None) -> TracebackType | None:
    rows: list[TracebackType] = []
    while trace:
        rows.append(trace)
        trace = trace.tb_next
    copy = None
    for row in reversed(rows):
        code, names = row.tb_frame.f_code, row.tb_frame.f_globals
        shown = _line.__code__.replace(co_filename=code.co_filename, co_name=code.co_name, co_firstlineno=code.co_firstlineno)
        source: dict[str, Any] = {name: names[name] for name in ("__name__", "__loader__", "__spec__") if name in names}
        copy = TracebackType(copy, FunctionType(shown, source)().gi_frame, -1, row.tb_lineno)
    return copy
