"""The shared library and the types of its functions.

All calls retain the GIL (`PyDLL`). They are short, and the library never waits for another thread while it holds a lock. Functions that wait for
another thread are called through `waiting`, which releases the GIL."""

from __future__ import annotations

import ctypes
import logging
import os
import threading
from ctypes import c_bool, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from itertools import starmap
from typing import Any, Callable, TypeVar

from ._functions import FUNCTIONS, VALUE, Value as Value

log = logging.getLogger("libsignalkit")


class _Typed:
    """A library whose functions have the types of the headers, each from its first use on."""

    def __getitem__(self, name: str) -> Any:
        function = super().__getitem__(name)  # type: ignore[misc]
        function.restype, function.argtypes = FUNCTIONS[name]
        return function


class _Library(_Typed, ctypes.PyDLL):
    pass


class _Waiting(_Typed, ctypes.CDLL):
    pass


def _interpreter() -> int:
    """Returns the number of the current interpreter. The main interpreter has 0."""
    current, number = ctypes.pythonapi.PyInterpreterState_Get, ctypes.pythonapi.PyInterpreterState_GetID
    current.restype, number.restype, number.argtypes = c_void_p, c_int64, (c_void_p,)
    return int(number(current()))


def _load() -> tuple[Any, Any]:
    inside = os.path.join(os.path.dirname(__file__), "libsignalkit.so.1")  # of a wheel that has it
    name = os.environ.get("SIGNALKIT_LIBRARY") or (inside if os.path.exists(inside) else "libsignalkit.so.1")
    if ctypes.sizeof(c_void_p) != 8:
        raise ImportError("libsignalkit needs a machine of 64 bits")
    if _interpreter():
        raise ImportError("libsignalkit needs the main interpreter: a callback of ctypes cannot enter a subinterpreter, and would wait for ever")
    try:
        return _Library(name), _Waiting(name)
    except OSError as error:
        raise ImportError(
            f"libsignalkit needs the library {name}, which cannot be loaded: {error}. Install it, or let SIGNALKIT_LIBRARY say where it is."
        ) from error


lib, waiting = _load()

def untyped(name: str, of: Any = lib) -> Any:
    """A function whose arguments are what `from_param` of their types has made: most of the time that a call takes goes into that, so where each
    nanosecond counts it is done once for the arguments that are always the same."""
    function = ctypes.CDLL.__getitem__(of, name)
    function.restype = FUNCTIONS[name][0]
    return function


NULL, BOOL, INT, DOUBLE, POINTER, STRING, BYTES, ARRAY, SIGNAL, OBJECT, FAILURE = range(11)
TIMEOUT, FAILED = -8, -12  # SGK_ERROR_TIMEOUT, SGK_ERROR_FAILED
ENDED = -4

# Callbacks. A context is a number, see _contexts.py.
NextFn = ctypes.CFUNCTYPE(None, c_size_t, *VALUE)
ReceiveFn = ctypes.CFUNCTYPE(c_uint64, c_size_t, *VALUE)  # returns the first word of a value, which contains the outcome of the event
PlainFn = ctypes.CFUNCTYPE(None, c_size_t)
StartedFn = ctypes.CFUNCTYPE(None, c_size_t, c_size_t)
GeneratorFn = ctypes.CFUNCTYPE(c_void_p, c_size_t, c_size_t)
ToSignalFn = ctypes.CFUNCTYPE(c_void_p, c_size_t, *VALUE)
PipelineFn = ctypes.CFUNCTYPE(c_void_p, c_size_t, *VALUE, c_void_p)
RetryFn = ctypes.CFUNCTYPE(c_void_p, c_size_t, *VALUE, c_int64)
DeferredFn = ctypes.CFUNCTYPE(c_void_p, c_size_t)
PredicateFn = ctypes.CFUNCTYPE(c_bool, c_size_t, *VALUE)
CurrentFn = ctypes.CFUNCTYPE(c_bool, c_size_t)
ObjectEqualFn = ctypes.CFUNCTYPE(c_bool, c_size_t, c_size_t)
ObjectHashFn = ctypes.CFUNCTYPE(c_uint64, c_size_t)
ObjectDescribeFn = ctypes.CFUNCTYPE(c_size_t, c_size_t, c_void_p, c_size_t)


class ObjectType(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t),
        ("name", c_char_p),
        ("retain", c_void_p),
        ("release", PlainFn),
        ("equal", ObjectEqualFn),
        ("hash", ObjectHashFn),
        ("describe", ObjectDescribeFn),
    ]


AT_ONCE = -1.0


class Retry(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t),
        ("attempts", c_int64),
        *((name, c_double) for name in ("delay", "factor", "increment", "max_delay", "jitter", "reset_after")),
        ("seed", c_uint64),
        ("reset_on_value", c_bool),
        ("decide", c_void_p),
        ("context", c_void_p),
        ("destroy", c_void_p),
    ]


class Bound(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t),
        ("limit", c_int64),
        ("overflow", c_uint32),
        ("reserved", c_uint32),
        ("counter", c_void_p),
        ("error", Value),
    ]


UNBUFFERED = -2


# The functions of a queue on a Python loop, and the functions that they receive.
AsyncFn = ctypes.CFUNCTYPE(c_int, c_size_t, c_size_t, c_size_t, c_size_t)
AfterFn = ctypes.CFUNCTYPE(c_int, c_size_t, c_double, c_size_t, c_size_t, c_size_t)
NativeWork = ctypes.PYFUNCTYPE(None, c_size_t)
WatchFn = ctypes.CFUNCTYPE(c_int, c_size_t, c_int, c_uint32, c_size_t, c_size_t, c_size_t)
UnwatchFn = ctypes.CFUNCTYPE(None, c_size_t, c_int)
NativeReady = ctypes.PYFUNCTYPE(None, c_size_t, c_uint32)


class QueueTable(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t),
        ("asynchronous", AsyncFn),
        ("is_current", CurrentFn),
        ("after", AfterFn),
        ("now", c_void_p),
        ("retain", c_void_p),
        ("release", PlainFn),
        ("watch", WatchFn),
        ("unwatch", UnwatchFn),
    ]


T = TypeVar("T")


def for_good(what: T) -> T:
    """Retains an object for the life of the process. Use it for each object that the library may call or read. The library can do this after Python has
    cleared its modules, when the last objects are released."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(what))
    return what


def _guard() -> tuple[Callable[..., Any], Callable[[BaseException], None], Callable[[], None]]:
    """The functions `guarded`, `postpone` and `keep_threads` of guard.c, or what Python can do without them. Attaches the threads of the library."""
    try:
        library = ctypes.PyDLL(os.path.join(os.path.dirname(__file__), f"_guard-{os.uname().machine}.so"))
    except OSError:
        return _guarded, _log_interrupt, lambda: None
    library.guarded.restype, library.guarded.argtypes = ctypes.py_object, (ctypes.py_object, ctypes.py_object)
    library.postpone.restype, library.postpone.argtypes = None, (ctypes.py_object,)
    library.keep_threads.restype, library.keep_threads.argtypes = None, ()
    begins, ends = (ctypes.cast(hook, c_void_p) for hook in (library.thread_begins, library.thread_ends))
    lib.sgk_set_thread_hooks(begins, ends, None, None)
    return library.guarded, library.postpone, library.keep_threads


def _guarded(function: Callable[..., Any], failed: Callable[..., Any]) -> Callable[..., Any]:
    def call(*arguments: Any) -> Any:
        try:
            return function(*arguments)
        except BaseException as error:
            return failed(error, *arguments)

    return call


def _log_interrupt(error: BaseException) -> None:
    log.error("an interrupt came at a place where it cannot be raised", exc_info=error)


_call_guarded, _postpone, _keep_threads = _guard()
is_guarded = _call_guarded is not _guarded


def close_threads() -> None:
    """Detaches no further thread, and attaches none, because the interpreter is about to end."""
    lib.sgk_set_thread_hooks(None, None, None, None)
    _keep_threads()


def postpone(error: BaseException) -> None:
    """Raises an exception of a signal handler in the main thread, when that has left the library."""
    _postpone(error)


def guarded(function: Callable[..., Any], failed: Callable[..., Any] | None = None) -> Callable[..., Any]:
    """A function in C that calls `function`, and `failed(exception, *arguments)` if that raises. By default it calls `function` again: then only a
    signal handler, which Python calls on entry to each function, can be the reason, and `function` can be called twice."""

    def again(error: BaseException, *arguments: Any) -> Any:
        postpone(error) if threading.get_ident() == threading.main_thread().ident else _log_interrupt(error)
        return function(*arguments)

    return _call_guarded(function, failed or again)  # type: ignore[no-any-return]


def callback(kind: Any, function: Callable[..., Any], failed: Callable[..., Any] | None = None) -> int:
    """The address of a function for the library to call. See `guarded`."""
    return ctypes.cast(for_good(kind(guarded(function, failed))), c_void_p).value or 0


class UsageError(ValueError):
    """The library refused a call: an argument out of range, or not of the kind that is needed."""


_CLASSES = {
    "queue_": "Queue", "timer_": "Timer", "thread_pool_": "ThreadPool", "promise_": "Promise", "sequencer_": "Sequencer", "reader_": "Reader",
    "disposable_bag_": "DisposableBag", "disposable_slot_": "DisposableSlot", "disposable_": "Disposable",
}
_OTHERS = {
    "fd": "readiness", "fd_lines": "lines", "fd_bytes": "chunks", "sink_fd": "sink", "chunked_within": "chunked", "sample_on": "sample",
}
_OF_A_CLOCK = {"advance", "advance_to", "pending", "run", "suspend"}


def shown(name: str) -> str:
    """Returns the Python name of a library function."""
    name = name.removeprefix("sgk_")
    for prefix, kind in _CLASSES.items():
        if name.startswith(prefix):
            method = name.removeprefix(prefix)
            kind = "VirtualQueue" if kind == "Queue" and method in _OF_A_CLOCK else kind
            if method == "create_concurrent":
                return "Queue.concurrent"
            return kind if method.startswith("create") else f"{kind}.{method}"
    name = name.removeprefix("signal_")
    return _OTHERS.get(name, name)


def translated(text: bytes) -> str:
    """A text of the library, in the terms of this package: `take: count must be 0 or more`."""
    whole = text.decode(errors="replace")
    function, _, problem = whole.partition(": ")
    if not function.startswith("sgk_"):
        return whole
    argument, _, requirement = problem.partition(": ")
    is_argument = requirement.startswith("must ")
    return f"{shown(function)}: {f'{argument} {requirement}' if is_argument else problem}"


def refusal() -> UsageError:
    """The last error of the library."""
    return UsageError(translated(lib.sgk_last_error()))


def checked(handle: int | None) -> int:
    """The handle that a function gave, or the reason why there is none."""
    if not handle:
        raise refusal()
    return handle


def succeeded(status: int) -> bool:
    """Returns true if the call succeeded, and false if it was dropped because it arrived after the end."""
    if status < 0 and status != ENDED:
        raise refusal()
    return status == 0


def counted(number: int) -> int:
    """How many, unless the call failed."""
    if number < 0:
        succeeded(number)
    return int(number)


def not_made_of(kind: type[Any], *what: object) -> TypeError:
    """Of a class whose objects programs do not make by calling it."""
    return TypeError(f"{kind.__name__}s are made by methods, not by {kind.__name__}({', '.join(map(repr, what))})")


_untrack, _method = ctypes.pythonapi.PyObject_GC_UnTrack, ctypes.pythonapi.PyInstanceMethod_New
_untrack.restype, _untrack.argtypes = None, (ctypes.py_object,)
_method.restype, _method.argtypes = ctypes.py_object, (ctypes.py_object,)


def finalizer(function: Callable[[Any], None]) -> Any:
    """A `__del__` that an interrupt does not end. `function` must accept an object whose `__init__` was interrupted."""
    return _method(guarded(function))


class Unique:
    """Base of the classes whose objects cannot be copied or pickled, as they represent something in this process."""

    __slots__ = ()

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError(f"{type(self).__name__} cannot be copied: it stands for something in this process")


class Owned(Unique, int):
    """A handle, released with the last reference to this number."""

    __slots__ = ()
    __del__ = _method(lib.sgk_release)  # in C: no signal handler of Python interrupts it


def owned(handle: int) -> Owned:
    """Python's collector calls each `__del__` of a cycle before it drops the references there, and these functions may use the handle. Therefore
    it does not know the number."""
    number = Owned(handle)
    _untrack(number)
    return number


def owning(made: list[Owned], function: Any, *arguments: Any) -> None:
    """Appends the handle that a function of the library returns. Use it for functions that take long and can be interrupted.

    Python calls signal handlers after a call, before an assignment, but not inside `extend`, which is in C like all its iterators."""
    made.extend(map(Owned, filter(None, starmap(function, (arguments,)))))
    checked(made[0] if made else None)
    _untrack(made[0])


H = TypeVar("H", bound="Handle")


class Handle(Unique):
    """Owns a handle of the library: released when the object goes."""

    __slots__ = ("_handle", "__weakref__")
    _handle: int

    def __init__(self, handle: int | None) -> None:
        self._handle = handle if type(handle) is Owned else owned(checked(handle))

    @classmethod
    def _of(cls: type[H], handle: int | None) -> H:
        """Creates an object of the class, also in a subclass with another constructor."""
        made = cls.__new__(cls)
        Handle.__init__(made, handle)
        return made
