"""Where work runs, and when."""

from __future__ import annotations

import asyncio
import os
import select
import signal
from contextlib import contextmanager
from types import FrameType
from typing import Callable, Iterator, TypeVar, Union
from weakref import ref

from . import _needed
from ._contexts import WORK, Work, contexts, given, register, work
from ._library import Handle, counted, lib, succeeded, waiting
from ._loops import queue_on
from ._needed import Seconds
from .disposable import Disposable

__all__ = ["Queue", "ThreadPool", "Timer", "VirtualQueue", "loop_queue", "run_main", "stop_main"]

T = TypeVar("T")
Q = TypeVar("Q", bound="Queue")


class Queue(Handle):
    """Runs work. A queue that you create and the main queue run one job at a time, in order. Exceptions of the work are logged."""

    __slots__ = ("_name",)
    _name: str

    def __init__(self, name: str = "python") -> None:
        """A serial queue, with a thread of the pool whenever it has work."""
        super().__init__(lib.sgk_queue_create(_needed.text("Queue", name)))
        self._name = name

    @classmethod
    def _called(cls: type[Q], name: str, handle: int | None) -> Q:
        """Creates a queue whose representation contains this name."""
        made = cls._of(handle)
        made._name = name
        return made

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self._name}>"

    @classmethod
    def main(cls) -> Queue:
        """The main queue: its work runs in `run_main`, or on an asyncio loop, see `aio.main_queue`."""
        return cls._called("main", lib.sgk_queue_main())

    @classmethod
    def concurrent(cls, name: str | None = None, threads: int | None = None) -> Queue:
        """The process-wide concurrent queue, or one with this name and its own threads, from 1 to 1024."""
        if name is None and threads is None:
            return cls._called("concurrent", lib.sgk_queue_concurrent_default())
        text = _needed.text("Queue.concurrent", name)
        return cls._called(str(name), given(lib.sgk_queue_create_concurrent, "Queue.concurrent")(text, threads))

    @classmethod
    def background(cls) -> Queue:
        """The process-wide concurrent queue of background priority."""
        return cls._called("background", lib.sgk_queue_concurrent_background())

    @property
    def is_current(self) -> bool:
        """Returns whether the caller runs on the queue."""
        return bool(lib.sgk_queue_is_current(self._handle))

    @property
    def now(self) -> float:
        """The time of its clock, in seconds from any fixed point."""
        return float(lib.sgk_queue_now(self._handle))

    @property
    def dropped(self) -> int:
        """Returns how many jobs were dropped because the loop of this queue had ended (see `loop_queue`)."""
        return int(lib.sgk_queue_dropped(self._handle))

    def submit(self, function: Callable[[], object]) -> None:
        """Runs it inline when the queue is current, otherwise later."""
        succeeded(lib.sgk_queue_async(self._handle, *work(function)))

    def dispatch(self, function: Callable[[], object]) -> None:
        """Runs it later, never inline."""
        succeeded(lib.sgk_queue_dispatch(self._handle, *work(function)))

    def after(self, seconds: Seconds, function: Callable[[], object]) -> Disposable:
        """Runs the function after some seconds, unless the returned disposable is disposed before."""
        later = Work(function)
        disposable = Disposable._of(given(lib.sgk_queue_after, "Queue.after")(self._handle, _needed.seconds("Queue.after", seconds), *work(later)))
        later.stop = disposable.dispose
        return disposable

    def sync(self, function: Callable[[], T]) -> T:
        """Runs the function on the queue and waits for its result or exception. A wait for the main queue deadlocks if nothing runs that queue."""
        results: list[T] = []
        errors: list[BaseException] = []

        context = register(Work(lambda: results.append(function()), errors.append))
        try:
            succeeded(waiting.sgk_queue_sync(self._handle, WORK, context))
        finally:
            del contexts[context]
        if errors:
            raise errors[0]
        return results[0]


class VirtualQueue(Queue):
    """A serial queue with a virtual clock, which only the program advances. Tests use it for `interval`, `debounce`, `Timer` and every other function
    with a queue. Work runs inside `advance`, `advance_to`, `run` and `sync`, on the calling thread. A simultaneous call on another thread raises a
    UsageError. When the last queue of a clock is released, pending work is dropped.

        >>> queue, seen = VirtualQueue(), []
        >>> ticks = Signal.interval(60, queue=queue).start(seen.append)
        >>> queue.advance(3600)
        >>> len(seen), queue.now
        (60, 3600.0)

    """

    __slots__ = ()

    def __init__(self, beside: VirtualQueue | None = None) -> None:
        """Creates a queue with a new clock at time 0, or with the clock of another queue."""
        clock = _needed.instance("VirtualQueue", VirtualQueue, beside)._handle if beside is not None else None
        Handle.__init__(self, lib.sgk_queue_create_virtual(clock))

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.now:g} s>"

    def advance(self, seconds: Seconds) -> None:
        """Advances the clock. Work whose time is reached runs at its time."""
        succeeded(given(lib.sgk_queue_advance, "VirtualQueue.advance")(self._handle, _needed.seconds("VirtualQueue.advance", seconds)))

    def advance_to(self, time: float) -> None:
        """Advances the clock to `time`. The clock never goes back. Work whose time has been reached always runs."""
        succeeded(given(lib.sgk_queue_advance_to, "VirtualQueue.advance_to")(self._handle, time))

    def run(self, limit: int) -> int:
        """Runs until no work is pending or `limit` jobs have run, because repeating work never ends. Returns the number of jobs. Advances the clock as
        far as necessary."""
        return counted(given(lib.sgk_queue_run, "VirtualQueue.run")(self._handle, limit))

    @property
    def pending(self) -> int:
        """How much waits on its clock, work and timers."""
        return counted(lib.sgk_queue_pending(self._handle))

    def suspend(self, seconds: Seconds) -> None:
        """The system sleeps for so long: the clock on the wall, by which `suspend_aware_delay` goes, moves on, and the queue's does not."""
        succeeded(given(lib.sgk_queue_suspend, "VirtualQueue.suspend")(self._handle, _needed.seconds("VirtualQueue.suspend", seconds)))


def loop_queue(loop: asyncio.AbstractEventLoop | None = None) -> Queue:
    """A serial queue whose work and timers run on an asyncio loop (default: the running loop). Work for a closed loop is dropped, and `dropped` counts
    it. `deliver_on(loop)` reports it as an error."""
    return Queue._called("asyncio", queue_on(_needed.loop("loop_queue", loop)))


QueueLike = Union[Queue, asyncio.AbstractEventLoop, None]
"""A queue, a loop, or None: the loop that runs, or the concurrent queue if none runs."""


def queue_for(name: str, queue: QueueLike) -> Queue:
    """The queue on which `name` works."""
    if queue is None:
        try:
            queue = asyncio.get_running_loop()
        except RuntimeError:
            return Queue.concurrent()
    if isinstance(queue, asyncio.AbstractEventLoop):
        return loop_queue(queue)
    return _needed.instance(name, Queue, queue)


class Timer(Handle):
    """Calls a function on a queue after a delay, once or repeatedly. Releasing the timer stops it."""

    __slots__ = ()

    def __init__(self, seconds: Seconds, function: Callable[[], object], *, repeat: bool = False, queue: QueueLike = None) -> None:
        firing, on, after = Work(function), queue_for("Timer", queue), _needed.seconds("Timer", seconds)
        super().__init__(given(lib.sgk_timer_create, "Timer")(after, bool(repeat), *work(firing), on._handle))
        timer = ref(self)

        def stop() -> None:
            if this := timer():
                this.invalidate()

        firing.stop = stop

    def start(self) -> None:
        """Begins to count the time; from the start again where it does already."""
        succeeded(lib.sgk_timer_start(self._handle))

    def invalidate(self) -> None:
        """Stops it; it can be started again."""
        succeeded(lib.sgk_timer_invalidate(self._handle))


class ThreadPool(Handle):
    """A fixed number of threads, which end with it."""

    __slots__ = ()

    def __init__(self, threads: int, priority: float = 0.5) -> None:
        super().__init__(given(lib.sgk_thread_pool_create, "ThreadPool")(threads, priority))

    def add_task(self, function: Callable[[], object]) -> Disposable:
        """Runs the function on any thread of the pool, unless the returned disposable is disposed before."""
        task = Work(function)
        disposable = Disposable._of(lib.sgk_thread_pool_add_task(self._handle, *work(task)))
        task.stop = disposable.dispose
        return disposable

    def next_queue(self) -> Queue:
        """A new serial queue on the pool."""
        return Queue._called("thread pool, serial", lib.sgk_thread_pool_next_queue(self._handle))

    def as_queue(self) -> Queue:
        """The pool as a concurrent queue, which keeps the pool."""
        return Queue._called("thread pool", lib.sgk_thread_pool_queue(self._handle))

    def shutdown(self) -> None:
        """Lets the tasks that wait go, and ends the threads."""
        succeeded(lib.sgk_thread_pool_shutdown(self._handle))


class _MainLoop:
    """The main queue's loop. It waits in Python, so that Ctrl-C gets to it."""

    __slots__ = ("stopped", "interrupted")

    def __init__(self) -> None:
        self.stopped = False
        self.interrupted = False

    def run(self) -> None:
        # The library's loop, which ends immediately, reports a wrong thread and a call inside the queue's work.
        lib.sgk_main_stop()
        succeeded(waiting.sgk_main_run())
        work = lib.sgk_main_fd()
        if work < 0:
            succeeded(work)
        something = select.poll()
        something.register(work, select.POLLIN)
        with _signals() as arrived:
            something.register(arrived, select.POLLIN)
            try:
                while not self.stopped and not self.interrupted:
                    if arrived in (descriptor for descriptor, _ in something.poll()):
                        os.read(arrived, 4096)
                    succeeded(waiting.sgk_main_drain())
                if self.interrupted:
                    raise KeyboardInterrupt
            finally:
                self.stopped = self.interrupted = False

    def stop(self) -> None:
        self.stopped = True
        succeeded(lib.sgk_main_stop())  # which wakes it

    def interrupt(self, number: int, frame: FrameType | None) -> None:
        """Ctrl-C is for the loop, not for the callback in which it happens to come; the second time for that, too."""
        if self.interrupted:
            raise KeyboardInterrupt
        self.interrupted = True


_main_loop = _MainLoop()


@contextmanager
def _signals() -> Iterator[int]:
    """Yields a descriptor that is readable after a system signal that Python handles. A signal right before a wait would not interrupt the wait."""
    arrived, wake = os.pipe()
    os.set_blocking(wake, False)
    before = signal.set_wakeup_fd(wake)
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if usual:
        signal.signal(signal.SIGINT, _main_loop.interrupt)
    try:
        yield arrived
    finally:
        if usual:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.set_wakeup_fd(before)
        os.close(arrived)
        os.close(wake)


def run_main() -> None:
    """Runs the work of the main queue on the main thread until `stop_main`; a stop that comes before makes it return at once.

    Ctrl-C ends it with a KeyboardInterrupt when the callback that runs has returned; pressed twice, it is raised in there."""
    _main_loop.run()


def stop_main() -> None:
    """Makes `run_main` return. Any thread."""
    _main_loop.stop()
