"""The shared library and the types of its functions.

Everything is called with the GIL held (`PyDLL`): the calls are short, and the library never waits for anybody while it holds a lock of its own. What
waits for another thread is called through `waiting`, which lets go of the GIL."""

from __future__ import annotations

import ctypes
import os
from ctypes import c_bool, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any


def _load() -> tuple[Any, Any]:
    name = os.environ.get("SIGNALKIT_LIBRARY") or "libsignalkit.so.1"
    if ctypes.sizeof(c_void_p) != 8:
        raise ImportError("signalkit needs a machine of 64 bits")
    try:
        return ctypes.PyDLL(name), ctypes.CDLL(name)
    except OSError as error:
        raise ImportError(
            f"signalkit needs the library {name}, which cannot be loaded: {error}. Install it, or let SIGNALKIT_LIBRARY say where it is."
        ) from error


lib, waiting = _load()

# A sgk_value, 16 bytes, travels in two registers, on the 64-bit machines of today as two integers do: its kind, and its bits. Saying so spares a
# Structure for each event.
VALUE = (c_uint32, c_int64)


class Value(ctypes.Structure):
    """A sgk_value as it lies in memory, and is returned."""

    _fields_ = [("kind", c_uint32), ("reserved", c_uint32), ("bits", c_int64)]


NULL, BOOL, INT, DOUBLE, POINTER, STRING, BYTES, ARRAY, SIGNAL, OBJECT = range(10)
ENDED = -4

# Callbacks. A context is a number, see _contexts.py.
NextFn = ctypes.CFUNCTYPE(None, c_size_t, *VALUE)
PlainFn = ctypes.CFUNCTYPE(None, c_size_t)
StartedFn = ctypes.CFUNCTYPE(None, c_size_t, c_size_t)
GeneratorFn = ctypes.CFUNCTYPE(c_void_p, c_size_t, c_size_t)
ToSignalFn = ctypes.CFUNCTYPE(c_void_p, c_size_t, *VALUE)
DeferredFn = ctypes.CFUNCTYPE(c_void_p, c_size_t)
PredicateFn = ctypes.CFUNCTYPE(c_bool, c_size_t, *VALUE)
ActionFn = ctypes.CFUNCTYPE(c_int, c_size_t, *VALUE)
EqualFn = ctypes.CFUNCTYPE(c_bool, c_size_t, *VALUE, *VALUE)
ObjectEqualFn = ctypes.CFUNCTYPE(c_bool, c_size_t, c_size_t)
ObjectHashFn = ctypes.CFUNCTYPE(c_uint64, c_size_t)
ObjectDescribeFn = ctypes.CFUNCTYPE(c_size_t, c_size_t, c_void_p, c_size_t)


class ObjectTable(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t),
        ("retain", c_void_p),
        ("release", PlainFn),
        ("equal", ObjectEqualFn),
        ("hash", ObjectHashFn),
        ("describe", ObjectDescribeFn),
    ]


# Of a queue on a loop of Python's: how the library asks, and what it asks for.
AsyncFn = ctypes.CFUNCTYPE(c_int, c_size_t, c_size_t, c_size_t, c_size_t)
AfterFn = ctypes.CFUNCTYPE(c_int, c_size_t, c_double, c_size_t, c_size_t, c_size_t)
NativeWork = ctypes.PYFUNCTYPE(None, c_size_t)


class QueueTable(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t),
        ("asynchronous", AsyncFn),
        ("is_current", c_void_p),
        ("after", AfterFn),
        ("now", c_void_p),
        ("retain", c_void_p),
        ("release", PlainFn),
    ]


_HANDLE = c_void_p
_CALLBACK = (c_void_p, c_size_t, c_void_p)  # function, context, destroy

_SIGNATURES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "version": (c_char_p, ()),
    "last_error": (c_char_p, ()),
    "clear_error": (None, ()),
    "live_count": (c_int64, (c_int,)),
    "live_total": (c_int64, ()),
    "live_text": (c_char_p, (c_int,)),
    "release": (None, (_HANDLE,)),
    # values
    "object_value": (Value, (c_size_t, c_void_p)),
    "value_retain": (Value, VALUE),
    "value_release": (None, VALUE),
    "value_data": (c_void_p, (*VALUE, c_void_p)),
    "array": (Value, (c_void_p, c_size_t)),
    "array_items": (c_void_p, (*VALUE, c_void_p)),
    "value_describe": (c_size_t, (*VALUE, c_void_p, c_size_t)),
    "signal_value": (Value, (_HANDLE,)),
    "value_signal": (_HANDLE, VALUE),
    # disposables
    "disposable_dispose": (c_int, (_HANDLE,)),
    "disposable_retain": (_HANDLE, (_HANDLE,)),
    "action_disposable_create": (_HANDLE, _CALLBACK),
    "meta_disposable_create": (_HANDLE, ()),
    "meta_disposable_set": (c_int, (_HANDLE, _HANDLE)),
    "disposable_set_create": (_HANDLE, ()),
    "disposable_set_add": (c_int, (_HANDLE, _HANDLE)),
    "disposable_set_remove": (c_int, (_HANDLE, _HANDLE)),
    # signals
    "signal_create": (_HANDLE, _CALLBACK),
    "signal_deferred": (_HANDLE, _CALLBACK),
    "signal_single": (_HANDLE, VALUE),
    "signal_complete": (_HANDLE, ()),
    "signal_fail": (_HANDLE, VALUE),
    "signal_never": (_HANDLE, ()),
    "signal_retain": (_HANDLE, (_HANDLE,)),
    "signal_start": (_HANDLE, (_HANDLE, c_char_p)),
    "subscriber_retain": (_HANDLE, (_HANDLE,)),
    "subscriber_next": (c_int, (_HANDLE, *VALUE)),
    "subscriber_error": (c_int, (_HANDLE, *VALUE)),
    "subscriber_complete": (c_int, (_HANDLE,)),
    "subscriber_is_active": (c_bool, (_HANDLE,)),
    # sources
    "promise_create": (_HANDLE, ()),
    "promise_create_value": (_HANDLE, VALUE),
    "promise_set": (c_int, (_HANDLE, _HANDLE)),
    "promise_get": (_HANDLE, (_HANDLE,)),
    "value_promise_create": (_HANDLE, (c_bool,)),
    "value_promise_create_value": (_HANDLE, (*VALUE, c_bool)),
    "value_promise_set": (c_int, (_HANDLE, *VALUE)),
    "value_promise_get": (_HANDLE, (_HANDLE,)),
    # queues
    "queue_create": (_HANDLE, (c_char_p,)),
    "queue_create_custom": (_HANDLE, (c_void_p, c_size_t)),
    "queue_dropped": (c_int64, (_HANDLE,)),
    "queue_main": (_HANDLE, ()),
    "queue_concurrent_default": (_HANDLE, ()),
    "queue_concurrent_background": (_HANDLE, ()),
    "queue_is_current": (c_bool, (_HANDLE,)),
    "queue_async": (c_int, (_HANDLE, *_CALLBACK)),
    "queue_dispatch": (c_int, (_HANDLE, *_CALLBACK)),
    "queue_after": (_HANDLE, (_HANDLE, c_double, *_CALLBACK)),
    "queue_sync": (c_int, (_HANDLE, c_void_p, c_size_t)),
    "timer_create": (_HANDLE, (c_double, c_bool, *_CALLBACK, _HANDLE)),
    "timer_start": (c_int, (_HANDLE,)),
    "timer_invalidate": (c_int, (_HANDLE,)),
    "drain": (c_int, (c_double,)),
    "main_fd": (c_int, ()),
    "main_drain": (c_int, ()),
    "main_run": (c_int, ()),
    "main_stop": (c_int, ()),
    "thread_pool_create": (_HANDLE, (c_int, c_double)),
    "thread_pool_add_task": (_HANDLE, (_HANDLE, *_CALLBACK)),
    "thread_pool_next_queue": (_HANDLE, (_HANDLE,)),
    "thread_pool_queue": (_HANDLE, (_HANDLE,)),
    "thread_pool_shutdown": (c_int, (_HANDLE,)),
    # operators without callbacks
    "signal_ignore_values": (_HANDLE, (_HANDLE,)),
    "signal_serialized": (_HANDLE, (_HANDLE,)),
    "signal_take": (_HANDLE, (_HANDLE, c_int64)),
    "signal_take_last": (_HANDLE, (_HANDLE,)),
    "signal_last": (_HANDLE, (_HANDLE,)),
    "signal_switch_to_latest": (_HANDLE, (_HANDLE,)),
    "signal_queued": (_HANDLE, (_HANDLE,)),
    "signal_throttled": (_HANDLE, (_HANDLE,)),
    "signal_take_until_replacement": (_HANDLE, (_HANDLE, _HANDLE)),
    "signal_then": (_HANDLE, (_HANDLE, _HANDLE)),
    "signal_restart": (_HANDLE, (_HANDLE,)),
    "signal_restart_if_error": (_HANDLE, (_HANDLE,)),
    "signal_retry": (_HANDLE, (_HANDLE, c_double, c_double, c_bool, _HANDLE)),
    "signal_throttle": (_HANDLE, (_HANDLE, c_double, _HANDLE)),
    "signal_debounce": (_HANDLE, (_HANDLE, c_double, _HANDLE)),
    "signal_deliver_on": (_HANDLE, (_HANDLE, _HANDLE)),
    "signal_run_on": (_HANDLE, (_HANDLE, _HANDLE)),
    "signal_delay": (_HANDLE, (_HANDLE, c_double, _HANDLE)),
    "signal_suspend_aware_delay": (_HANDLE, (_HANDLE, c_double, c_double, _HANDLE)),
    "signal_timeout": (_HANDLE, (_HANDLE, c_double, _HANDLE, _HANDLE)),
    "signal_trace": (_HANDLE, (_HANDLE, c_char_p)),
    "signal_to_events": (_HANDLE, (_HANDLE,)),
    "signal_from_events": (_HANDLE, (_HANDLE,)),
    "signal_multicast": (_HANDLE, (_HANDLE,)),
    "sequencer_create": (_HANDLE, ()),
    "sequencer_enqueue": (_HANDLE, (_HANDLE, _HANDLE)),
    "combine_latest": (_HANDLE, (c_void_p, c_size_t, _HANDLE)),
    "merge_signals": (_HANDLE, (c_void_p, c_size_t)),
    # operators with a callback
    "signal_distinct_until_changed_by": (_HANDLE, (_HANDLE, *_CALLBACK)),
    "signal_take_until": (_HANDLE, (_HANDLE, *_CALLBACK)),
    "signal_map_to_signal": (_HANDLE, (_HANDLE, *_CALLBACK)),
    "signal_map_to_queue": (_HANDLE, (_HANDLE, *_CALLBACK)),
    "signal_map_to_throttled": (_HANDLE, (_HANDLE, *_CALLBACK)),
    "signal_catch": (_HANDLE, (_HANDLE, *_CALLBACK)),
    "signal_retry_if": (_HANDLE, (_HANDLE, *_CALLBACK)),
    "signal_retry_on_error": (_HANDLE, (_HANDLE, c_double, c_double, c_int64, c_bool, *_CALLBACK, _HANDLE)),
    "signal_before_started": (_HANDLE, (_HANDLE, *_CALLBACK)),
    "signal_before_error": (_HANDLE, (_HANDLE, *_CALLBACK)),
    "signal_before_completed": (_HANDLE, (_HANDLE, *_CALLBACK)),
    "signal_after_completed": (_HANDLE, (_HANDLE, *_CALLBACK)),
    "signal_after_disposed": (_HANDLE, (_HANDLE, *_CALLBACK)),
}

for _library in (lib, waiting):
    for _name, (_result, _parameters) in _SIGNATURES.items():
        _function = getattr(_library, "sgk_" + _name)
        _function.restype = _result
        _function.argtypes = _parameters


def address(function: Any) -> int:
    """The address of a function or of a callback."""
    return ctypes.cast(function, c_void_p).value or 0


class UsageError(ValueError):
    """The library refused a call: an argument out of range, or not of the kind that is needed."""


def checked(handle: int | None) -> int:
    """The handle that a function gave, or the reason why there is none."""
    if not handle:
        raise UsageError(lib.sgk_last_error().decode(errors="replace"))
    return handle


def succeeded(status: int) -> bool:
    """Whether the call did something; false when that was dropped because it came after the end."""
    if status < 0 and status != ENDED:
        raise UsageError(lib.sgk_last_error().decode(errors="replace"))
    return status == 0


class Handle:
    """Owns a handle of the library: released when the object goes."""

    __slots__ = ("_handle", "__weakref__")
    _handle: int

    def __init__(self, handle: int | None) -> None:
        self._handle = 0
        self._handle = checked(handle)

    def __del__(self, _release: Any = lib.sgk_release) -> None:
        if self._handle:
            _release(self._handle)
