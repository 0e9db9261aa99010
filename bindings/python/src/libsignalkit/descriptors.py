"""Descriptors as signals: pipes, sockets, terminals and files; system signals, ends of processes, changes of files.

`fd` is a number or an object with `fileno()`. Each subscription duplicates the descriptor and closes the duplicate at its end. You may close yours
after the start. The work runs on `queue`: a subscription reads once, emits the data, and then watches again. Therefore a slow subscriber slows down
the writer. On an asyncio loop, the loop watches descriptors. An error of the system fails the subscription with an OSError
(BrokenPipeError, FileNotFoundError …)."""

from __future__ import annotations

import os
from datetime import datetime
from enum import Enum, Flag
from ctypes import c_char_p
from typing import Any, Iterable, Literal, Protocol, Sequence, TypeVar, Union, overload

from . import _needed
from ._contexts import given
from ._kinds import Overflow, Writing
from ._library import Handle, lib, shown
from ._values import Data, SignalError
from ._operator import Operator
from .operators import _bounded, _pausing_bound, map_error
from .queues import QueueLike, queue_for
from .signal import Signal

__all__ = ["child", "chunks", "file_changes", "file_lines", "FileChange", "lines", "process", "readiness", "Ready", "sink", "Stream", "unix_signal", "wall_clock_timer"]


class Ready(Flag):
    """The operations for which a descriptor is ready."""

    READ = 1  #: A read returns data or the end.
    WRITE = 2  #: A write is possible.
    HANGUP = 4  #: The other side has closed. It is reported with the others, whether requested or not.


class FileChange(Flag):
    """The changes of a file or folder. They are the bits of inotify."""

    READ = 0x1  #: The file was read.
    WRITTEN = 0x2  #: The file was written or truncated.
    ATTRIBUTES = 0x4  #: The owner, permissions, times or links have changed.
    CLOSED = 0x8  #: The file was closed by a writer.
    MOVED_FROM = 0x40  #: An entry was moved out of the folder, or received a new name. This change has the old name.
    MOVED_TO = 0x80  #: An entry was moved into the folder, or received a new name. This change has the new name.
    CREATED = 0x100  #: An entry was created in the folder.
    DELETED = 0x200  #: An entry of the folder was deleted.
    GONE = 0x400  #: The watched file or folder was deleted and is not open any more.
    MOVED = 0x800  #: The watched file or folder was moved.
    RECURSIVE = 0x8000000  #: Requested with another bit: also watch all folders below, and new ones.
    IS_FOLDER = 0x40000000  #: The entry is a folder. It accompanies another bit.


class Stream(Enum):
    """The kinds of values that a program emits."""

    OUTPUT = 1  #: A line or bytes of its standard output.
    ERRORS = 2  #: A line or bytes of its standard error.
    EXIT = 4  #: Its exit status.


class HasFileno(Protocol):
    def fileno(self) -> int: ...


F = TypeVar("F", bound=Flag)
Descriptor = Union[int, HasFileno]


def _number(name: str, fd: Descriptor) -> int:
    if isinstance(fd, int):
        return fd
    if not hasattr(fd, "fileno"):
        raise TypeError(f"{name} needs a descriptor, or what has a fileno(), not {fd!r}")
    return fd.fileno()


def _error(error: BaseException) -> BaseException:
    """Returns the system's error with this number and text. Any other error is an error of the written signal."""
    if isinstance(error, SignalError) and error.code > 0:
        return OSError(error.code, *error.args)
    return error


def _data(value: Any) -> Data:
    """Returns the bytes of a value to write."""
    if isinstance(value, str):
        return Data(value.encode())
    if isinstance(value, (bytes, bytearray, memoryview)):
        return Data(value)
    raise TypeError(f"a descriptor takes strings and bytes, not {value!r}")


def _known(kind: type[F], bits: int) -> F:
    """The flags of a class that the system has set. It may set others as well."""
    return kind(bits & sum(flag.value for flag in kind))


def _made(function: str, *arguments: Any, queue: QueueLike) -> Signal[Any]:
    create = getattr(lib, "sgk_signal_" + function)
    return Signal(Handle(given(create)(*arguments, queue_for(shown(function), queue)._handle))) | map_error(_error)


def readiness(fd: Descriptor, events: Ready, *, queue: QueueLike = None) -> Signal[Ready]:
    """Emits the operations of `events` for which `fd` is ready, again after each has been handled. Completes when only HANGUP is left."""
    return _made("fd", _number("readiness", fd), Ready(events).value, queue=queue).map(lambda bits: _known(Ready, bits))


def lines(fd: Descriptor, *, limit: int = 1 << 16, queue: QueueLike = None) -> Signal[str]:
    """Lines as strings, without their newlines, also the last one without. A longer one than `limit` bytes is an OSError (EMSGSIZE).

    Raises ValueError unless `limit` is 1 or more.
    """
    return _made("fd_lines", _number("lines", fd), limit, queue=queue)


def chunks(fd: Descriptor, *, size: int = 1 << 16, queue: QueueLike = None) -> Signal[bytes]:
    """Emits bytes as they are read, at most `size` in one value.

    Raises ValueError unless `size` is from 1 to 2^30.
    """
    return _made("fd_bytes", _number("chunks", fd), size, queue=queue)


def sink(
    fd: Descriptor, *, limit: int = 1 << 16, overflow: Writing = Overflow.PAUSE, closes: bool = False, queue: QueueLike = None
) -> Operator[Any, Any]:
    """Writes strings and bytes to `fd`. Emits nothing, and completes or fails with the signal after everything is written. With `closes`, the
    subscription closes `fd`.

    On a socket that keeps the boundaries of messages, such as one for UDP, each value is one datagram to the socket's peer.

    At most `limit` bytes are buffered, in addition to a write in progress of at most the same size. If the buffer is full, `overflow` decides. "pause"
    pauses the source until the buffered bytes are being written. "wait" blocks the emitting thread. On `queue` itself the subscription fails with an
    OSError (ENOBUFS) instead. "error" fails with an OverflowedError and drops the buffered bytes. No policy drops values, because they may be parts of
    messages. To drop values, use `deliver_on` with a limit before.

    Raises ValueError unless `limit` is 1 or more.
    """
    number, bound, on = _number("sink", fd), _pausing_bound("sink", limit, overflow, writes=True), queue_for("sink", queue)
    blocks = Overflow.WAIT in (overflow if isinstance(overflow, tuple) else (overflow,))

    def apply(signal: Signal[Any]) -> Signal[Any]:
        source = signal.map(_data)
        data = source._signal_handle(blocks)
        return Signal(Handle(_bounded(lib.sgk_signal_sink_fd, (data, number, closes), bound, (on._handle,))), name=source._name)

    return Operator(lambda signal: apply(signal) | map_error(_error))


def unix_signal(signo: int, *, queue: QueueLike = None) -> Signal[int]:
    """The signals of that number, which must be blocked in all threads (`signal.pthread_sigmask`, before any other thread is made): a start on a thread
    that does not block it is an OSError (EINVAL), and if another one does not the library says so on stderr.

    Raises ValueError unless `signo` is 1 or more.
    """
    return _made("unix_signal", signo, queue=queue)


def child(pid: int, *, queue: QueueLike = None) -> Signal[int]:
    """How a child process has ended, as `subprocess` has it: its exit status, or, less than 0, the signal. Reaps it, and no other.

    Raises ValueError unless `pid` is 1 or more.
    """
    return _made("child", pid, queue=queue)


Argument = Union[str, bytes, "os.PathLike[str]"]


@overload
def process(
    arguments: Sequence[Argument], *, input: Signal[Any] | None = None, output: bool = True, errors: bool = False, binary: Literal[False] = False,
    terminate: bool = False, own_group: bool = False, limit: int = 1 << 16, queue: QueueLike = None,
) -> Signal[tuple[Stream, str, int]]: ...
@overload
def process(
    arguments: Sequence[Argument], *, input: Signal[Any] | None = None, output: bool = True, errors: bool = False, binary: Literal[True],
    terminate: bool = False, own_group: bool = False, limit: int = 1 << 16, queue: QueueLike = None,
) -> Signal[tuple[Stream, bytes, int]]: ...
def process(
    arguments: Sequence[Argument], *, input: Signal[Any] | None = None, output: bool = True, errors: bool = False, binary: bool = False,
    terminate: bool = False, own_group: bool = False, limit: int = 1 << 16, queue: QueueLike = None,
) -> Signal[Any]:
    """Starts a program at each start of the signal. Emits `(Stream.OUTPUT, line, 0)` and `(Stream.ERRORS, line, 0)` for what it writes, and then
    `(Stream.EXIT, "", status)`, where a negative status is a system signal. Lines have no newline; with `binary`, bytes are emitted as they arrive. `output`
    and `errors` say which streams are read; a stream that is not read is that of this process.

    `input` emits strings and bytes for the standard input, and its completion closes that. Without it the program has no input. A disposal ends the program
    by SIGKILL, or SIGTERM with `terminate`; with `own_group`, the program and all that it has started. An error also ends it. A longer line than `limit`
    bytes is an OSError (EMSGSIZE), as is a program that cannot be started (FileNotFoundError). During a pause nothing is read.

    Raises ValueError unless `limit` is 1 or more and `arguments` contain a program.
    """
    if isinstance(arguments, (str, bytes)) or not isinstance(arguments, Iterable):
        raise TypeError(f"process needs a list of arguments, not {arguments!r}")
    if input is not None:
        _needed.instance("process", Signal, input)
    texts = [os.fsencode(argument) for argument in arguments]
    if any(b"\0" in text for text in texts):
        raise ValueError("process: arguments must not contain 0")
    options = output * 1 | errors * 2 | binary * 8 | terminate * 16 | own_group * 32
    array = (c_char_p * (len(texts) + 1))(*texts, None)
    data = None if input is None else input.map(_data)
    made = _made("process", array, None if data is None else data._signal_handle(), options, limit, queue=queue)
    return made.map(lambda event: (Stream(event[0]), *event[1:]))


def wall_clock_timer(time: datetime | float, *, queue: QueueLike = None) -> Signal[int]:
    """Emits 0 when the system's wall clock reaches `time`, a `datetime` or seconds since 1970 as `time.time()` counts them, and completes. A time in the
    past: at once. If the clock is set in the meantime, the new time counts. A `datetime` without a zone is local time.

    Raises ValueError unless the seconds are finite.
    """
    return _made("wall_clock_timer", time.timestamp() if isinstance(time, datetime) else time, queue=queue)


def file_changes(path: str, mask: FileChange, *, queue: QueueLike = None) -> Signal[tuple[FileChange, str, int]]:
    """Emits the changes at a path that are in `mask`: the change, the name in the folder, and a number that both halves of a renaming have in common."""
    made = _made("file_changes", os.fsencode(path), FileChange(mask).value, queue=queue)

    def typed(change: tuple[int, str, int]) -> tuple[FileChange, str, int]:
        return _known(FileChange, change[0]), *change[1:]

    return made.map(typed)


def file_lines(path: str, *, from_start: bool = False, limit: int = 1 << 16, queue: QueueLike = None) -> Signal[str]:
    """Emits the lines that are appended to the file at a path, like `tail -F`: it follows the name through rotations, reads a truncated file from its
    beginning, and waits as long as there is no file. With `from_start` it begins with the present content. Completes when the folder is deleted or renamed. A
    longer line than `limit` bytes is an OSError (EMSGSIZE).

    Raises ValueError unless `limit` is 1 or more.
    """
    return _made("file_lines", os.fsencode(path), from_start, limit, queue=queue)
