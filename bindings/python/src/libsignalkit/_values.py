"""Conversion between Python objects and values of the library.

None, bools, 64-bit ints and floats are converted. For any other object, the value is a reference that retains it."""

from __future__ import annotations

import ctypes
import itertools
import struct
from ctypes import c_int64, c_uint64, c_void_p
from typing import Any, Callable

from . import _library as library
from ._contexts import of_a_handler, unhandled
from ._library import (
    ARRAY, BOOL, BYTES, DOUBLE, ENDED, FAILED, FAILURE, INT, NULL, OBJECT, SIGNAL, STRING, TIMEOUT, Handle, Value, guarded, lib, postpone,
)

LOWEST, HIGHEST = -(1 << 63), (1 << 63) - 1
_as_double = struct.Struct("d")
_as_bits = struct.Struct("q")
_as_value = struct.Struct("I4xq")


class SignalError(Exception):
    """An error of a signal that is not an exception of Python: an error of the library or of another language, or any other value.

    Its argument is the text of the error, or the value. `__cause__` is the error that led to it."""

    code: int = FAILED
    """A negative status of the library (-8 is a timeout, -13 a full buffer, -12 any other), or a positive number, such as an errno."""


class SignalTimeoutError(SignalError, TimeoutError):
    """No event arrived in time: the error of `timeout` and `timeout_first`."""


# ---- Objects ----
# The library knows an object by a number; the value of it is known by the address of its box, which is the same number's as long as it lives.

_objects: dict[int, Any] = {}  # by box
_boxes: dict[int, int] = {}  # by number
_numbers = itertools.count(1)


_undelivered: dict[int, BaseException] = {}  # by box: exceptions of signal handlers that are errors of signals


def _release(
    number: int,
    objects: dict[int, Any] = _objects,
    boxes: dict[int, int] = _boxes,
    undelivered: dict[int, BaseException] = _undelivered,
) -> None:
    box = boxes.get(number, 0)
    if undelivered and box in undelivered:
        postpone(undelivered.pop(box))
    objects.pop(box, None)  # may run a finalizer of the user's
    boxes.pop(number, None)


def _equal(a: int, b: int) -> bool:
    return bool(_objects[_boxes[a]] == _objects[_boxes[b]])


def _not_equal(error: BaseException, a: int, b: int) -> bool:
    unhandled("__eq__", error)
    return False


def _hash(number: int) -> int:
    return hash(_objects[_boxes[number]]) & 0xFFFF_FFFF_FFFF_FFFF


def _no_hash(error: BaseException, number: int) -> int:
    if not isinstance(error, TypeError):
        unhandled("__hash__", error)
    return 0  # unhashable: all in one place


def _describe(number: int, text: int | None, size: int) -> int:
    return _show(repr(_objects[_boxes[number]]), text, size)


def _not_described(error: BaseException, number: int, text: int | None, size: int) -> int:
    return _show(f"<repr: {type(error).__name__}>", text, size)


def _show(what: str, text: int | None, size: int) -> int:
    shown = what.encode(errors="replace").replace(b"\0", b"")
    if text and size:
        part = shown[: size - 1] + b"\0"
        ctypes.memmove(text, part, len(part))
    return len(shown)


_type = library.for_good(library.ObjectType(
    ctypes.sizeof(library.ObjectType), b"Python", None, library.PlainFn(guarded(_release)), library.ObjectEqualFn(guarded(_equal, _not_equal)),
    library.ObjectHashFn(guarded(_hash, _no_hash)), library.ObjectDescribeFn(guarded(_describe, _not_described)),
))
_type_address = ctypes.addressof(_type)


_object_value, _type_argument, _object = library.untyped("sgk_object"), c_void_p.from_param(_type_address), c_void_p.from_param


def _box(value: Any) -> Value:
    number = next(_numbers)
    box: Value = _object_value(_object(number), _type_argument)
    _boxes[number] = bits = box.bits
    _objects[bits] = value
    return box


# ---- To the library ----


class Array(tuple[Any, ...]):
    """A tuple that becomes an array of the library's."""


class Data(bytes):
    """Bytes that the library reads itself. (What else a program emits it only carries.)"""


def owned(value: Any) -> Value:
    """The value as one of the library's, to be released."""
    kind = type(value)
    if value is None:
        return Value(NULL, 0, 0)
    if kind is bool:
        return Value(BOOL, 0, value)
    if kind is int and LOWEST <= value <= HIGHEST:
        return Value(INT, 0, value)
    if kind is float:
        return Value(DOUBLE, 0, _as_bits.unpack(_as_double.pack(value))[0])
    if kind is Array:
        items = (Value * len(value))(*(owned(item) for item in value))
        array: Value = lib.sgk_array(ctypes.addressof(items), len(items))
        for item in items:
            lib.sgk_value_release(item.kind, item.bits)
        return array
    if kind is Data:
        data: Value = lib.sgk_bytes(bytes(value), len(value))
        return data
    if isinstance(value, _Signal):
        signal: Value = lib.sgk_signal_value(value._signal_handle())
        return signal
    return _box(value)


def passing(function: Any, *before: Any) -> Callable[..., Any]:
    """Returns `function(*before, value, *after)`, where a Python object supplies the value."""

    def call(value: Any, *after: Any) -> Any:
        raw = owned(value)
        try:
            return function(*before, raw.kind, raw.bits, *after)
        finally:
            if raw.kind >= STRING:
                lib.sgk_value_release(raw.kind, raw.bits)

    return call


def passing_error(function: Any, *before: Any) -> Callable[[BaseException], Any]:
    """The same for an error. If a signal handler raised it and nobody receives it, the main thread raises it. For example, a subscription that delivers
    on another thread may be disposed before."""

    def call(error: BaseException) -> Any:
        raw = owned(error)
        if of_a_handler(error):
            _undelivered[raw.bits] = error
        try:
            result = function(*before, raw.kind, raw.bits)
            if result == ENDED:
                _undelivered.pop(raw.bits, None)  # the caller decides
            return result
        finally:
            lib.sgk_value_release(raw.kind, raw.bits)

    return call


_next = library.untyped("sgk_subscriber_next")
_blocking_next = library.untyped("sgk_subscriber_next", library.waiting)
_is_paused = library.untyped("sgk_subscriber_is_paused")
_kind, _bits, _int = c_uint64.from_param, c_int64.from_param, c_uint64.from_param(INT)
_GIVEN = 0x67697665 << 32  # added to the kind: the reference of this value is transferred to the library


def emitter(subscriber: Handle, over: Callable[[], bool], blocks: bool = False) -> Callable[[Any], bool]:
    """The same for `sgk_subscriber_next(subscriber, value) == 0 or over()`, where each nanosecond counts. With `blocks` the call releases the GIL."""
    to = c_void_p.from_param(subscriber._handle)
    put = _blocking_next if blocks else _next

    def emit(value: Any, next: Any = put, int_kind: Any = _int, bits: Any = _bits, _owner: Handle = subscriber) -> bool:
        if type(value) is int and -0x8000_0000_0000_0000 <= value <= 0x7FFF_FFFF_FFFF_FFFF:
            return next(to, int_kind, bits(value)) == 0 or over()
        raw = owned(value)
        return next(to, _kind(raw.kind | _GIVEN if raw.kind >= STRING else raw.kind), bits(raw.bits)) == 0 or over()

    return emit


def obeying(subscriber: Handle, emit: Callable[[Any], bool], pause: Callable[[], object]) -> Callable[[Any], bool]:
    """The same as `emit`, for a source that can pause: `pause()` is called behind each value that meets a pause."""
    to = c_void_p.from_param(subscriber._handle)

    def emit_and_look(value: Any, emit: Any = emit, is_paused: Any = _is_paused, _owner: Handle = subscriber) -> bool:
        wanted: bool = emit(value)
        if is_paused(to):
            pause()
        return wanted

    return emit_and_look


# ---- From the library ----

_array_items = library.untyped("sgk_array_items")

_Signal: type[Any]
_wrap_signal: Callable[[int], Any]


def set_signal_wrapper(kind: type[Any], wrap: Callable[[int], Any]) -> None:
    global _Signal, _wrap_signal
    _Signal, _wrap_signal = kind, wrap


def decode(kind: int, bits: int) -> Any:
    """The Python object of a borrowed value."""
    if kind == INT:
        return bits
    if kind == OBJECT:
        try:
            return _objects[bits]
        except KeyError:
            lib.sgk_to_object(kind, bits, _type_address)  # records why it is not Python's
            error = SignalError(library.translated(lib.sgk_last_error()).removeprefix("to_object: "))
            error.code = lib.sgk_last_status()
            raise error from None
    if kind == NULL:
        return None
    if kind == BOOL:
        return bits != 0
    if kind == DOUBLE:
        return _as_double.unpack(_as_bits.pack(bits))[0]
    if kind == STRING or kind == BYTES:
        length = ctypes.c_size_t()
        data = lib.sgk_value_data(kind, bits, ctypes.addressof(length))
        content = ctypes.string_at(data, length.value)
        return content.decode(errors="replace") if kind == STRING else content
    if kind == ARRAY:
        count = ctypes.c_size_t()
        items = _array_items(_kind(kind), _bits(bits), ctypes.byref(count))
        content = ctypes.string_at(items, count.value * _as_value.size) if items else b""
        return tuple([decode(kind, bits) for kind, bits in _as_value.iter_unpack(content)])
    if kind == FAILURE:
        return _failure(kind, bits)
    if kind == SIGNAL:
        return _wrap_signal(lib.sgk_to_signal(kind, bits))
    return bits & 0xFFFF_FFFF_FFFF_FFFF  # a pointer


def _failure(kind: int, bits: int) -> SignalError:
    """The error with its causes, of which there may be more than calls inside of each other."""
    first = error = _without_cause(kind, bits)
    while True:
        cause = lib.sgk_error_cause(kind, bits)
        if cause.kind != FAILURE:
            break
        kind, bits = cause.kind, cause.bits
        inner = _without_cause(kind, bits)
        error.__cause__ = inner
        error = inner
    if cause.kind != NULL:
        error.__cause__ = decode_error(cause.kind, cause.bits)
    return first


def _without_cause(kind: int, bits: int) -> SignalError:
    code = lib.sgk_error_code(kind, bits)
    error = (SignalTimeoutError if code == TIMEOUT else SignalError)(library.translated(lib.sgk_error_text(kind, bits)))
    error.code = code
    return error


def decode_error(kind: int, bits: int) -> BaseException:
    """The error as an exception."""
    if _undelivered:
        _undelivered.pop(bits, None)
    try:
        error = decode(kind, bits)
    except SignalError as unreadable:
        return unreadable
    return as_error(error)


def as_error(value: Any) -> BaseException:
    """The exception for an error of a signal, which may be any value."""
    return raisable(value) if isinstance(value, BaseException) else SignalError(value)


def raisable(error: BaseException) -> BaseException:
    """Returns a RuntimeError with `error` as its cause if `error` would end a loop without a message when it is raised, otherwise `error` (as PEP 479)."""
    if not isinstance(error, (StopIteration, StopAsyncIteration)):
        return error
    wrapped = RuntimeError(f"a signal failed with {type(error).__name__}")
    wrapped.__cause__ = error
    return wrapped
