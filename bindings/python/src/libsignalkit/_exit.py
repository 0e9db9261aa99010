"""The end of the process. The interpreter kills a thread that calls into it while it ends, and that must not happen to a thread of the library's. So before
that everything that could call is stopped, and what has begun comes to its end."""

from __future__ import annotations

import atexit

from . import _contexts
from ._library import guarded, waiting

_MOST_SECONDS = 1.0


def _close() -> None:
    _contexts.closing = True
    for what in list(_contexts.contexts.values()):
        stop = getattr(what, "stop", None)
        if stop:
            stop()
    waiting.sgk_drain(_MOST_SECONDS)  # the firings, turns and tasks that have begun, also on queues that nobody holds any more


atexit.register(guarded(_close, lambda error: _close()))  # the process ends in any case, also after an interrupt
