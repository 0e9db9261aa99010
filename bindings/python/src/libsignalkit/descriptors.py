"""Descriptors as signals: pipes, sockets, terminals and files; signals of the system, the ends of processes, changes of files.

`fd` is a number, or what has a `fileno()`. Each run has a duplicate of its own, which it closes in the end: yours may be closed as soon as the run is
started. The work is done on `queue`, where a run reads once, emits what that was, and only then watches for more: who is slow there holds up who writes.
On `aio.loop_queue()` the asyncio loop watches itself. What the system refuses ends a run with an OSError (BrokenPipeError, FileNotFoundError …)."""

from __future__ import annotations

import os
from typing import Any, Protocol, Union

from . import _needed
from ._contexts import given
from ._library import Handle, lib
from ._values import Data, SignalError
from .operators import Operator, map, map_error
from .queues import Queue, queue_handle
from .signal import Signal

__all__ = ["child", "chunks", "file_changes", "lines", "readiness", "sink", "unix_signal", "READ", "WRITE", "HANGUP"]

READ = 1  #: Something can be read, or the end.
WRITE = 2  #: Something can be written.
HANGUP = 4  #: The other side is gone: told with the others, asked for or not.


class HasFileno(Protocol):
    def fileno(self) -> int: ...


Descriptor = Union[int, HasFileno]


def _number(name: str, fd: Descriptor) -> int:
    if isinstance(fd, int):
        return fd
    if not hasattr(fd, "fileno"):
        raise TypeError(f"{name} needs a descriptor, or what has a fileno(), not {fd!r}")
    return fd.fileno()


def _error(error: BaseException) -> BaseException:
    """That of the system, from its number and its text; any other is that of the signal which is written."""
    what = error.args[0] if isinstance(error, SignalError) and error.args else None
    if isinstance(what, (list, tuple)) and len(what) == 2 and isinstance(what[0], int):
        return OSError(*what)
    return error


def _data(value: Any) -> Data:
    """What is written of a value."""
    if isinstance(value, str):
        return Data(value.encode())
    if isinstance(value, (bytes, bytearray, memoryview)):
        return Data(value)
    raise TypeError(f"a descriptor takes strings and bytes, not {value!r}")


def _made(handle: int) -> Signal[Any]:
    return Signal(Handle(handle)) | map_error(_error)


def readiness(fd: Descriptor, events: int, queue: Queue) -> Signal[int]:
    """The bits (READ, WRITE, HANGUP) of what `fd` is ready for, of those that `events` has: once, and again when that has been handled, as long as it is
    so. Completes when nothing but HANGUP is left."""
    return _made(given(lib.sgk_signal_fd, "readiness")(_number("readiness", fd), events, queue_handle("readiness", queue)))


def lines(fd: Descriptor, queue: Queue, limit: int = 1 << 16) -> Signal[str]:
    """Lines as strings, without their newlines, also the last one without. A longer one than `limit` bytes is an OSError (EMSGSIZE)."""
    return _made(given(lib.sgk_signal_lines)(_number("lines", fd), limit, queue_handle("lines", queue)))


def chunks(fd: Descriptor, queue: Queue, size: int = 1 << 16) -> Signal[bytes]:
    """Bytes as they come, at most so many at once."""
    return _made(given(lib.sgk_signal_bytes, "chunks")(_number("chunks", fd), size, queue_handle("chunks", queue)))


def sink(fd: Descriptor, queue: Queue, limit: int = 1 << 16, closes: bool = False) -> Operator[Any, Any]:
    """Writes strings and bytes to `fd`; emits nothing, and completes or fails as the signal does, when all is written. At most `limit` bytes wait, beside
    as many that are being written: who emits more is blocked; on the queue itself that is an OSError (ENOBUFS). With `closes`, `fd` becomes the run's."""
    _needed.instance("sink", Queue, queue)
    number, most = _number("sink", fd), _needed.whole("sink", limit)
    return lambda signal: (signal | map(_data))._through("sink_fd", number, most, closes, queue._handle) | map_error(_error)


def unix_signal(signo: int, queue: Queue) -> Signal[int]:
    """The signals of that number, which must be blocked in all threads (`signal.pthread_sigmask`, before any other thread is made): a start on a thread
    that does not block it is an OSError (EINVAL), and if another one does not the library says so on stderr."""
    return _made(given(lib.sgk_signal_unix_signal)(signo, queue_handle("unix_signal", queue)))


def child(pid: int, queue: Queue) -> Signal[int]:
    """How a child process has ended, as `subprocess` has it: its exit status, or, less than 0, the signal. Reaps it, and no other."""
    return _made(given(lib.sgk_signal_child)(pid, queue_handle("child", queue)))


def file_changes(path: str, mask: int, queue: Queue) -> Signal[Any]:
    """What happens at a path, of the bits that `mask` has (those of inotify): each a bit, the name in the folder, and what both halves of a renaming
    have in common."""
    return _made(given(lib.sgk_signal_file_changes)(os.fsencode(path), mask, queue_handle("file_changes", queue)))
