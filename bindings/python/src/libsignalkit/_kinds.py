"""What operators are told, and what they emit, besides values."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple


class TakeAction(IntEnum):
    """What `take_until` does about a value."""

    NOTHING = 0
    PASSTHROUGH = 1
    COMPLETE = 2
    PASSTHROUGH_AND_COMPLETE = 3


class Event(NamedTuple):
    """An event as a value."""

    kind: int
    value: Any


NEXT, ERROR, COMPLETED = range(3)


class Throttle(IntEnum):
    """Which values of an interval `throttle` emits: the one that begins it, the latest of those that came, when it is over, or both."""

    LEADING = 1
    TRAILING = 2
    BOTH = 3
