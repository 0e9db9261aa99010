"""The end of the process. The interpreter kills a thread that calls into it while it ends, and that must not happen to a thread of the library's. So before
that everything that could call is stopped, and what has begun comes to its end."""

from __future__ import annotations

import atexit
import time
from typing import Callable

from . import _contexts
from ._library import address, lib
from .queues import own_queues

_MOST_SECONDS = 1.0
_SIGNAL_QUEUE = 11  # a kind of object of which there are few


def _wait(condition: Callable[[], bool], seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.001)  # lets go of the GIL


@atexit.register
def _close() -> None:
    _contexts.closing = True
    for what in list(_contexts.contexts.values()):
        stop = getattr(what, "stop", None)
        if stop:
            stop()
    _wait(lambda: not any(getattr(what, "pending", False) for what in list(_contexts.contexts.values())), _MOST_SECONDS)
    # A firing may still be on its way on a queue. Behind it each queue releases an object, without calling Python; when all are gone, it is over.
    before = lib.sgk_live_count(_SIGNAL_QUEUE)
    release = address(lib.sgk_release)
    for queue in list(own_queues):
        lib.sgk_queue_dispatch(queue._handle, release, lib.sgk_signal_queue_create(), None)
    _wait(lambda: lib.sgk_live_count(_SIGNAL_QUEUE) <= before, _MOST_SECONDS)
