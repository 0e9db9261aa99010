"""What operators are told, and what they emit, besides values."""

from __future__ import annotations

from enum import Flag
from typing import Any, NamedTuple


class TakeAction(Flag):
    """What `take_until` does about a value."""

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
    """Which values of an interval `throttle` emits: the one that begins it, the latest of those that came, when it is over, or both."""

    LEADING = 1
    TRAILING = 2
    BOTH = LEADING | TRAILING
