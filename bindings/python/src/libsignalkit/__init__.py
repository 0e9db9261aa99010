"""SignalKit: cold streams of values, their operators, pipes, promises and queues.

    >>> pipe = Pipe[int]()
    >>> with pipe.signal.filter(lambda n: n % 2 == 0).map(str).start(print):
    ...     pipe.next(2)
    2

Operators are methods of signals. They are also functions in `libsignalkit.operators`, which `|` applies to a signal: `pipe.signal | take(3)`.
"""

from . import _exit as _exit, aio, descriptors, operators
from ._iteration import NoValueError
from ._library import UsageError, lib as _lib
from ._reading import Reader
from ._subscriber import Subscriber
from ._values import SignalError, SignalTimeoutError
from .aio import LoopClosedError, OverflowedError, Values, from_coroutine, loop_queue
from .disposable import Disposable, DisposableBag, DisposableSlot
from .operators import Completed, Event, Failed, Next, Operator, Overflow, Passing, Throttle, combine_latest, concat, merge, race, using, zip
from .queues import Queue, ThreadPool, Timer, VirtualQueue, run_main, stop_main
from .signal import Signal
from .sources import Pipe, Promise, Sequencer, State

__all__ = [
    "Completed", "Disposable", "DisposableBag", "DisposableSlot", "Event", "Failed", "LoopClosedError", "Next", "NoValueError", "Operator", "Overflow",
    "OverflowedError", "Passing", "Pipe", "Promise", "Queue", "Reader", "Sequencer", "Signal", "SignalError", "SignalTimeoutError", "State", "Subscriber",
    "ThreadPool", "Throttle", "Timer", "UsageError", "Values", "VirtualQueue", "__version__", "aio", "combine_latest", "concat", "descriptors",
    "from_coroutine", "live_counts", "live_total", "loop_queue", "merge", "operators", "race", "run_main", "stop_main", "using", "zip",
]

__version__: str = _lib.sgk_version().decode()


def live_total() -> int:
    """Returns the number of live objects of the library: 0 when a program has released everything and no subscription is active."""
    return int(_lib.sgk_live_total())


def live_counts() -> dict[str, int]:
    """The same by kind, without those of which there are none."""
    counts = {_lib.sgk_live_text(kind).decode(): _lib.sgk_live_count(kind) for kind in range(64)}
    return {name: count for name, count in counts.items() if count > 0}
