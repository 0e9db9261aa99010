"""Arguments and results of operators, other than values."""

from __future__ import annotations

import sys
from enum import Enum, Flag
from typing import Any, Literal, NamedTuple, Union

if sys.version_info >= (3, 11):
    from enum import StrEnum
else:

    class StrEnum(str, Enum):
        """An enumeration of strings."""

        __str__ = str.__str__


class Overflow(StrEnum):
    """What happens to a new value if a buffer is full. Each policy is also the string with its value."""

    WAIT = "wait"  #: The emitting thread waits for space.
    DROP_OLDEST = "drop_oldest"  #: The oldest value is dropped.
    DROP_NEWEST = "drop_newest"  #: The new value is dropped.
    LATEST = "latest"  #: All values but the new one are dropped.
    ERROR = "error"  #: The subscription fails with an OverflowedError.


Dropping = Union[Overflow, Literal["drop_oldest", "drop_newest", "latest", "error"]]
Waiting = Union[Dropping, Literal["wait"]]
POLICIES = {Overflow.WAIT: 1, Overflow.DROP_OLDEST: 2, Overflow.DROP_NEWEST: 3, Overflow.LATEST: 4, Overflow.ERROR: 5}


def overflow_policy(name: str, overflow: Waiting, waits: bool) -> Overflow:
    """Checks the argument of a function that can block the emitting thread, or cannot."""
    possible = [policy for policy in Overflow if waits or policy is not Overflow.WAIT]
    if overflow not in possible:
        raise ValueError(f"{name}: overflow must be {', '.join(map(repr, map(str, possible)))}, not {overflow!r}")
    return Overflow(overflow)


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
