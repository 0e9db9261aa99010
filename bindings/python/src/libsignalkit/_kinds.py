"""Arguments and results of operators, other than values."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from enum import Enum, Flag
from typing import Any, Generic, Literal, TypeVar, Union

from ._values import as_error

if sys.version_info >= (3, 11):
    from enum import StrEnum
else:

    class StrEnum(str, Enum):
        """An enumeration of strings."""

        __str__ = str.__str__


T_co = TypeVar("T_co", covariant=True)


class Overflow(StrEnum):
    """What happens to a new value if a buffer is full. Each policy is also the string with its value."""

    WAIT = "wait"  #: The emitting thread waits for space.
    #: The source pauses until half of the values have passed. Values of a source that cannot pause exceed the limit, unless there is a second policy:
    #: `("pause", "drop_oldest")`. Without a limit it is 1,024.
    PAUSE = "pause"
    DROP_OLDEST = "drop_oldest"  #: The oldest value is dropped.
    DROP_NEWEST = "drop_newest"  #: The new value is dropped.
    LATEST = "latest"  #: All values but the new one are dropped.
    ERROR = "error"  #: The subscription fails with an OverflowedError.


Dropping = Union[Overflow, Literal["drop_oldest", "drop_newest", "latest", "error"]]
Waiting = Union[Dropping, Literal["wait", "pause"]]
Pausing = Union[Dropping, Literal["pause"], "tuple[Overflow | Literal['pause'], Dropping]"]
"""In a pair, "pause" applies at three quarters of the limit, and the other policy at the limit."""
Writing = Union[Overflow, Literal["wait", "error", "pause"], "tuple[Overflow | Literal['pause'], Overflow | Literal['wait', 'error']]"]

POLICIES = {
    Overflow.WAIT: 1, Overflow.DROP_OLDEST: 2, Overflow.DROP_NEWEST: 3, Overflow.LATEST: 4, Overflow.ERROR: 5, Overflow.PAUSE: 0x100,
}


def overflow_policy(name: str, overflow: Any, waits: bool = False, pauses: bool = False, drops: bool = True) -> Overflow:
    """Checks the argument of a function that can block the emitting thread, or pause the source, or do neither, and that can drop values."""
    possible = [policy for policy in Overflow if {Overflow.WAIT: waits, Overflow.PAUSE: pauses, Overflow.ERROR: True}.get(policy, drops)]
    if overflow not in possible:
        raise ValueError(f"{name}: overflow must be {', '.join(map(repr, map(str, possible)))}, not {overflow!r}")
    return Overflow(overflow)


def pausing_policies(name: str, overflow: Pausing | Writing, writes: bool = False) -> tuple[Overflow, ...]:
    """Checks the argument of a function that accepts a pair, too. Returns one policy, or PAUSE and another one."""
    if not isinstance(overflow, tuple):
        return (overflow_policy(name, overflow, waits=writes, pauses=True, drops=not writes),)
    if len(overflow) != 2 or overflow[0] != Overflow.PAUSE:
        raise ValueError(f"{name}: a pair of policies must be 'pause' and another one, not {overflow!r}")
    return Overflow.PAUSE, overflow_policy(name, overflow[1], waits=writes, drops=not writes)


@dataclass(frozen=True)
class Next(Generic[T_co]):
    """A value as an event."""

    value: T_co


@dataclass(frozen=True)
class Failed:
    """The error of a signal as an event."""

    error: BaseException


@dataclass(frozen=True)
class Completed:
    """The completion of a signal as an event."""


Event = Union[Next[T_co], Failed, Completed]
"""An event as a value, for `match`."""

_NEXT, _ERROR, _COMPLETED = range(3)


def event_of(parts: tuple[int, Any]) -> Event[Any]:
    """Creates an event from the library's pair."""
    kind, value = parts
    if kind == _NEXT:
        return Next(value)
    return Failed(as_error(value)) if kind == _ERROR else Completed()


def parts_of(event: Event[Any]) -> tuple[int, Any]:
    """Returns the library's pair for an event."""
    if isinstance(event, Next):
        return _NEXT, event.value
    if isinstance(event, Failed):
        return _ERROR, event.error
    if isinstance(event, Completed):
        return _COMPLETED, None
    raise TypeError(f"from_events needs Next, Failed or Completed, not {event!r}")


class Throttle(Flag):
    """The values of an interval that `throttle` emits: the first, the latest at the end of the interval, or both."""

    LEADING = 1
    TRAILING = 2
    BOTH = LEADING | TRAILING
