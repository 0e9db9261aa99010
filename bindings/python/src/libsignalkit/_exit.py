"""The end of the process. While the interpreter ends, it kills threads that call into it, and this must not happen to a thread of the library. Therefore
this module first stops all callers and waits for calls in progress."""

from __future__ import annotations

import atexit

from . import _contexts
from ._library import close_threads, guarded, waiting

_MOST_SECONDS = 1.0


def _close() -> None:
    _contexts.closing = True
    close_threads()
    for what in list(_contexts.contexts.values()):
        stop = getattr(what, "stop", None)
        if stop:
            stop()
    waiting.sgk_drain(_MOST_SECONDS)  # for firings, turns and tasks in progress, also on released queues


atexit.register(guarded(_close, lambda error: _close()))  # the process ends in any case, also after an interrupt
