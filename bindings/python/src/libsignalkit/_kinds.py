"""Arguments and results of operators, other than values."""

from __future__ import annotations

from enum import Flag
from typing import Any, NamedTuple


class TakeAction(Flag):
    """The decision of `take_until` about a value."""

    NOTHING = 0
    PASSTHROUGH = 1
    COMPLETE = 2
    PASSTHROUGH_AND_COMPLETE = PASSTHROUGH | COMPLETE


class Event(NamedTuple):
    """An event as a value."""

    kind: int
    value: Any


NEXT, ERROR, COMPLETED = range(3)


class Throttle(Flag):
    """The values of an interval that `throttle` emits: the first, the latest at the end of the interval, or both."""

    LEADING = 1
    TRAILING = 2
    BOTH = LEADING | TRAILING
