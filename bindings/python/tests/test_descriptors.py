"""Descriptors: lines, bytes, readiness, the sink; on queues of the library's, and on an asyncio loop, which watches itself."""

import asyncio
import errno
import os
import signal as system
import socket
import subprocess
import tempfile
import threading
import time
from datetime import datetime, timedelta, timezone

import pytest
from libsignalkit import operators as op
from conftest import PATIENCE
from libsignalkit import OverflowedError, Queue, Signal, aio, descriptors


def events(signal):
    """All events of a signal that ends."""
    log, ended = [], threading.Event()
    run = signal.start(log.append, on_error=lambda e: (log.append(e), ended.set()), on_completed=lambda: (log.append("C"), ended.set()))
    assert ended.wait(PATIENCE)
    run.dispose()
    return log


def test_lines_and_bytes():
    queue = Queue()
    reads, writes = os.pipe()
    lines = descriptors.lines(reads, queue=queue)
    os.write(writes, b"one\ntwo\n\nlast")
    os.close(writes)
    assert events(lines) == ["one", "two", "", "last", "C"]
    os.close(reads)
    with tempfile.TemporaryFile() as file:
        file.write(b"12345")
        file.flush()
        file.seek(0)
        assert events(descriptors.chunks(file, queue=queue, size=3)) == [b"123", b"45", "C"]


def test_bytes_with_nuls(tmp_path):
    data = os.urandom(100_000) + bytes(1000)
    (tmp_path / "data").write_bytes(data)
    with (tmp_path / "data").open("rb") as file:
        assert b"".join(descriptors.chunks(file, size=30_000, queue=Queue()).iterate()) == data
    (tmp_path / "text").write_bytes(b"a\0b\n\0\n")
    with (tmp_path / "text").open("rb") as file:
        assert events(descriptors.lines(file, queue=Queue())) == ["a\0b", "\0", "C"]


def test_errors_are_those_of_the_system():
    queue = Queue()
    assert isinstance(events(descriptors.lines(9999, queue=queue))[-1], OSError)
    reads, writes = os.pipe()
    os.close(reads)
    gone = events(Signal.just("x") | descriptors.sink(writes, queue=queue, closes=True))[-1]
    assert isinstance(gone, BrokenPipeError) and gone.errno == errno.EPIPE
    assert isinstance(events(descriptors.file_changes("/nowhere", 2, queue=queue))[-1], FileNotFoundError)
    boom = ValueError("boom")
    with tempfile.TemporaryFile() as file:
        assert events(Signal.fail(boom) | descriptors.sink(file, queue=queue))[-1] is boom
        assert isinstance(events(Signal.just(1) | descriptors.sink(file, queue=queue))[-1], TypeError)


def test_what_is_written():
    queue = Queue()
    ours, theirs = socket.socketpair()
    with ours, theirs:
        assert events(Signal.from_iterable(["a", b"b", "c"]) | descriptors.sink(ours, queue=queue)) == ["C"]
        assert theirs.recv(10) == b"abc"
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        big = ["x" * 1000] * 1000  # which pauses repeatedly
        for policy in ("pause", ("pause", "wait"), "wait"):
            reader = threading.Thread(target=lambda: theirs.recv(1_000_000, socket.MSG_WAITALL))
            reader.start()
            queue.dispatch(lambda: sum(range(500_000)))  # Python's work comes before the writing, which a source waits for
            assert events(Signal.from_iterable(big) | descriptors.sink(ours, limit=2000, overflow=policy, queue=queue)) == ["C"]
            reader.join()
        assert events(descriptors.readiness(ours, descriptors.Ready.WRITE, queue=queue) | op.take(1)) == [descriptors.Ready.WRITE, "C"]
        failed = events(Signal.from_iterable(big * 10) | descriptors.sink(ours, limit=2000, overflow="error", queue=queue))[-1]
        assert isinstance(failed, OverflowedError)
        for policy in ("latest", ("pause", "drop_oldest"), ("wait", "pause")):
            with pytest.raises(ValueError, match="^sink: "):
                descriptors.sink(ours, overflow=policy, queue=queue)


def test_each_value_is_one_datagram():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ours, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as theirs:
        theirs.bind(("127.0.0.1", 0))
        ours.connect(theirs.getsockname())
        queue, sent = Queue(), ["a", b"", "bcd", b"e" * 1000]
        assert events(Signal.from_iterable(sent) | descriptors.sink(ours, queue=queue)) == ["C"]
        assert [theirs.recv(2000) for _ in sent] == [b"a", b"", b"bcd", b"e" * 1000]
        assert isinstance(events(Signal.just(("a", b"an address")) | descriptors.sink(ours, queue=queue))[-1], TypeError)


def test_changes_of_files(tmp_path):
    watched = descriptors.FileChange.CREATED | descriptors.FileChange.MOVED_FROM | descriptors.FileChange.MOVED_TO
    with descriptors.file_changes(tmp_path, watched, queue=Queue()).iterate() as changes:
        (tmp_path / "a").mkdir()
        (tmp_path / "a").rename(tmp_path / "b")
        seen = [next(changes) for _ in range(3)]
    with descriptors.file_changes(tmp_path, watched | descriptors.FileChange.RECURSIVE, queue=Queue()).iterate() as changes:
        (tmp_path / "b" / "c").mkdir()
        (tmp_path / "b" / "c" / "d").touch()
        assert [next(changes)[1] for _ in range(2)] == ["b/c", "b/c/d"]
    folder = descriptors.FileChange.IS_FOLDER
    assert seen == [
        (descriptors.FileChange.CREATED | folder, "a", 0),
        (descriptors.FileChange.MOVED_FROM | folder, "a", seen[1][2]), (descriptors.FileChange.MOVED_TO | folder, "b", seen[1][2]),
    ]
    assert {type(change) for change, _, _ in seen} == {descriptors.FileChange}
    assert not issubclass(descriptors.FileChange, int) and not issubclass(descriptors.Ready, int)


def test_lines_of_a_file_that_is_rotated(tmp_path):
    log = tmp_path / "log"
    log.write_text("before\n")
    assert descriptors.file_lines(log, from_start=True, queue=Queue()).take(1).get(60) == "before"
    with descriptors.file_lines(log, queue=Queue()).iterate() as lines:
        with log.open("a") as file:
            file.write("one\ntw")
        assert next(lines) == "one"
        log.rename(tmp_path / "log.1")
        log.write_text("three\n")
        assert [next(lines), next(lines)] == ["tw", "three"]
        log.unlink()
        (tmp_path / "log.1").unlink()
        tmp_path.rmdir()
        assert list(lines) == []
    assert isinstance(events(descriptors.file_lines("/nowhere/log", queue=Queue()))[-1], FileNotFoundError)
    with pytest.raises(ValueError, match="limit"):
        descriptors.file_lines(log, limit=0, queue=Queue())


def test_children():
    queue = Queue()
    with subprocess.Popen(["sh", "-c", "exit 3"]) as ended, subprocess.Popen(["sleep", "100"]) as killed:
        assert events(descriptors.child(ended.pid, queue=queue)) == [3, "C"]
        killed.kill()
        assert events(descriptors.child(killed.pid, queue=queue)) == [-system.SIGKILL, "C"]


def test_programs():
    queue, stream = Queue(), descriptors.Stream
    program = descriptors.process(["sh", "-c", "echo one; exit 3"], queue=queue)
    assert events(program) == events(program) == [(stream.OUTPUT, "one", 0), (stream.EXIT, "", 3), "C"]
    text = Signal.from_iterable(["one\n", b"two"])
    assert events(descriptors.process(["cat"], input=text, binary=True, queue=queue))[-2:] == [(stream.EXIT, b"", 0), "C"]
    both = events(descriptors.process(["sh", "-c", "cat >&2; kill -9 $$"], input=text, errors=True, queue=queue))
    assert both == [(stream.ERRORS, "one", 0), (stream.ERRORS, "two", 0), (stream.EXIT, "", -system.SIGKILL), "C"]
    assert isinstance(events(descriptors.process(["/nowhere"], queue=queue))[-1], FileNotFoundError)
    assert isinstance(events(descriptors.process(["cat"], input=Signal.just(1), queue=queue))[-1], TypeError)
    assert descriptors.process(["yes"], queue=queue).take(1).get(60) == (stream.OUTPUT, "y", 0)
    marks = descriptors.process(["sh", "-c", "trap 'echo ended; exit' TERM; echo go; while :; do sleep 0.01; done"], terminate=True, queue=queue)
    assert marks.take(1).get(60) == (stream.OUTPUT, "go", 0)
    for bad, error in ([], ValueError), (["a\0b"], ValueError), ("cat", TypeError), ([1], TypeError), (None, TypeError):
        with pytest.raises(error):
            descriptors.process(bad, queue=queue)
    with pytest.raises(TypeError, match="process needs .*Signal, not 'text'"):
        descriptors.process(["cat"], input="text", queue=queue)


def test_the_wall_clock():
    queue = Queue()
    now = datetime.now(timezone.utc)
    assert events(descriptors.wall_clock_timer(0, queue=queue)) == [0, "C"]
    assert events(descriptors.wall_clock_timer(time.time() + 0.02, queue=queue)) == [0, "C"]
    then = now + timedelta(seconds=0.05)
    assert events(descriptors.wall_clock_timer(then, queue=queue)) == [0, "C"] and datetime.now(timezone.utc) >= then
    with pytest.raises(ValueError, match="finite"):
        descriptors.wall_clock_timer(float("inf"), queue=queue)
    with pytest.raises(TypeError):
        descriptors.wall_clock_timer("tomorrow", queue=queue)


def test_an_asyncio_loop_watches_itself():
    async def main():
        loop, asked = asyncio.get_running_loop(), []
        add_reader = loop.add_reader
        loop.add_reader = lambda fd, *rest: (asked.append(fd), add_reader(fd, *rest))
        reads, writes = os.pipe()
        seen, done = [], loop.create_future()
        lines = descriptors.lines(reads, queue=aio.loop_queue())
        run = lines.start(seen.append, on_error=done.set_exception, on_completed=lambda: done.set_result(None))
        await asyncio.sleep(0)
        os.write(writes, b"one\ntwo\n")
        os.close(writes)
        await done
        assert seen == ["one", "two"] and asked and reads not in asked
        run.dispose()
        os.close(reads)
        with tempfile.TemporaryFile() as file:  # which asyncio cannot watch
            file.write(b"in a file")
            file.flush()
            file.seek(0)
            assert await descriptors.lines(file, queue=aio.loop_queue()).first() == "in a file"
        left, other = os.pipe()
        waiting = descriptors.lines(left, queue=aio.loop_queue()).start(seen.append)
        await asyncio.sleep(0.01)
        waiting.dispose()
        await asyncio.sleep(0)
        os.write(other, b"three\n")
        await asyncio.sleep(0.01)
        assert seen == ["one", "two"]
        os.close(left), os.close(other)

    asyncio.run(main())
