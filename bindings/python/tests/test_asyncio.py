import asyncio
import gc
import itertools
import subprocess
import sys
import threading
import time
from datetime import timedelta

import pytest

import libsignalkit
from conftest import PATIENCE, until
from libsignalkit import Disposable, LoopClosedError, NoValueError, OverflowedError, Pipe, Queue, Signal, State, Timer
from libsignalkit.operators import (
    after_disposed, before_next, catch_with, concat_map, deliver_on, map, merge, run_on, serialized, share, take, throttle, timeout,
)
from libsignalkit.aio import from_coroutine, loop_queue, main_queue


def emit_on_threads(pipe, threads, count):
    def emit(t):
        for n in range(count):
            pipe.next((t, n))
            if n % 100 == 0:
                time.sleep(0.001)

    started = [threading.Thread(target=emit, args=(t,)) for t in range(threads)]
    for thread in started:
        thread.start()
    return started


def test_events_of_other_threads_arrive_on_the_loop_in_order():
    async def main():
        pipe, seen, done = Pipe(), [], asyncio.Event()
        here = threading.get_ident()

        def receive(value):
            assert threading.get_ident() == here
            seen.append(value)

        run = (pipe.signal | deliver_on(asyncio.get_running_loop())).start(receive, on_completed=done.set)
        ticks = 0
        threads = emit_on_threads(pipe, 4, 3000)
        while any(thread.is_alive() for thread in threads):
            ticks += 1
            await asyncio.sleep(0)  # the loop does other work
        pipe.complete()
        await asyncio.wait_for(done.wait(), PATIENCE)
        assert len(seen) == 12000 and ticks > 1
        for t in range(4):
            assert [n for thread, n in seen if thread == t] == list(range(3000))
        run.dispose()

    asyncio.run(main())


def test_deliver_on_a_loop_is_never_inline_and_errors_keep_their_place(log):
    async def main():
        run = log.start(Signal.from_iterable([1, 2]) | map(lambda v: v if v == 1 else 1 // 0) | deliver_on(asyncio.get_running_loop()))
        assert log == []
        await until(lambda: len(log) == 2)
        assert log[0] == 1 and isinstance(log[1], ZeroDivisionError)
        run.dispose()

    asyncio.run(main())


def test_disposal_drops_what_is_on_its_way(log):
    async def main():
        run = log.start(Signal.from_iterable([1, 2]) | deliver_on(asyncio.get_running_loop()))
        run.dispose()
        later = log.start(Signal.just("later") | deliver_on(asyncio.get_running_loop()))
        await until(lambda: log != [])
        assert log[0] == "later"
        later.dispose()

    asyncio.run(main())


def test_a_source_that_emits_in_a_loop_on_a_thread_is_stopped_when_nobody_listens():
    async def main():
        loop = asyncio.get_running_loop()
        endless = Signal.from_iterable(itertools.repeat(1)) | deliver_on(loop) | take(3)
        seen, done = [], asyncio.Event()
        thread = threading.Thread(target=lambda: endless.start(seen.append, on_completed=done.set))
        thread.start()
        await asyncio.wait_for(done.wait(), PATIENCE)
        await loop.run_in_executor(None, thread.join)
        assert seen == [1, 1, 1] and not thread.is_alive()

    asyncio.run(main())


def test_a_loop_that_is_closed_with_events_on_their_way_says_so(log):
    pipe, stopped = Pipe(), []

    async def main():
        log.append(log.start(pipe.signal | after_disposed(lambda: stopped.append(1)) | deliver_on(asyncio.get_running_loop())))
        pipe.next(1)
        await until(lambda: log[-1] == 1)

    loop = asyncio.new_event_loop()
    loop.run_until_complete(main())
    pipe.next(2)
    pipe.next(3)
    loop.close()
    gc.collect()
    assert isinstance(log[2], LoopClosedError) and log[2].args[1] == 2 and "2 events" in str(log[2])
    assert len(log) == 3 and log[1] == 1 and stopped == [1]
    pipe.next(4)
    assert len(log) == 3


def test_an_event_for_a_closed_loop_is_an_error_where_it_comes_from(log):
    loop = asyncio.new_event_loop()
    pipe = Pipe()
    run = log.start(pipe.signal | deliver_on(loop))
    loop.close()
    thread = threading.Thread(target=lambda: pipe.next(1))
    thread.start()
    thread.join(PATIENCE)
    assert not thread.is_alive() and isinstance(log[0], LoopClosedError) and len(log) == 1
    run.dispose()


def test_a_loop_that_is_stopped_keeps_events_until_it_runs_again(log):
    loop = asyncio.new_event_loop()
    run = log.start(Signal.from_iterable([1, 2]) | deliver_on(loop))
    loop.run_until_complete(until(lambda: len(log) == 3))
    assert log == [1, 2, "completed"]
    run.dispose()
    loop.close()


def test_async_for_and_back_pressure():
    async def main():
        seen = [value async for value in Signal.from_iterable(range(1000))]
        assert seen == list(range(1000))
        queue, emitted, seen = Queue(), [], []
        source = Signal.from_iterable(range(300)) | map(lambda n: (emitted.append(n), n)[1]) | run_on(queue)
        async for value in source.values(limit=10):
            if value == 5:
                await until(lambda: len(emitted) >= 10)
                await asyncio.sleep(0.05)  # for more that must not come
                assert len(emitted) <= 17  # the emitting thread waits
            seen.append(value)
        assert seen == list(range(300))

    asyncio.run(main())


def test_async_for_ends_with_the_error_and_stops_the_run_when_it_is_left():
    async def main():
        with pytest.raises(ZeroDivisionError):
            async for _ in Signal.just(0) | map(lambda n: 1 / n):
                pass
        stopped, pipe = [], Pipe(replay=True)
        pipe.next(1)
        async for value in pipe.signal | after_disposed(lambda: stopped.append(1)):
            break
        gc.collect()
        assert stopped == [1]
        async with pipe.signal.values() as values:
            assert await anext(values) == 1
        with pytest.raises(StopAsyncIteration):
            await anext(values)

    asyncio.run(main())


@pytest.mark.parametrize("overflow, expected", [("drop_oldest", [2, 3]), ("drop_newest", [0, 1]), ("latest", [2, 3]), ("error", OverflowedError), ("wait", [0, 1, 2, 3]), ("pause", [0, 1, 2, 3])])
def test_overflow(overflow, expected):
    async def main():
        seen = []
        try:
            async for value in Signal.from_iterable(range(4)).values(2, overflow):
                seen.append(value)
        except OverflowedError as error:
            assert seen == [0, 1]
            return type(error)
        return seen

    assert asyncio.run(main()) == expected
    with pytest.raises(ValueError):
        Signal.never().values(0)


def test_a_source_on_the_readers_loop_waits_for_room():
    taken = []

    def numbers():
        for n in range(5000):
            taken.append(n)
            yield n

    async def without_waiting():
        for n in numbers():
            yield n

    async def main():
        loop = asyncio.get_running_loop()
        for source in (
            lambda: Signal.from_iterable(numbers()),
            lambda: Signal.from_async_iterable(without_waiting),
            lambda: Signal.from_async_iterable(without_waiting) | map(lambda n: n) | serialized(),
            lambda: Signal.from_iterable(numbers()) | deliver_on(loop),
        ):
            assert [n async for n in source()] == list(range(5000))
        taken.clear()
        ahead = 0
        async for n in Signal.from_iterable(numbers()).values(limit=10):
            ahead = max(ahead, taken[-1] - n)
        assert ahead <= 10
        with pytest.raises(ZeroDivisionError):
            async for n in Signal.from_iterable(1 // (8 - n) for n in range(20)).values(limit=2):
                pass
        taken.clear()
        async for n in Signal.from_iterable(numbers()).values(limit=10):
            if n == 20:
                break
        await asyncio.sleep(0)
        gc.collect()
        assert len(taken) < 50  # nobody reads on
        assert [n async for n in Signal.from_iterable(range(50)).values(limit=1)] == list(range(50))

    asyncio.run(main())


BEHIND_A_PIPE = {
    "a reader": lambda signal: signal.values(4),
    "a reader behind stages of the library": lambda signal: signal.skip(0).values(4),
    "a loop": lambda signal: signal.deliver_on(asyncio.get_running_loop(), limit=4).values(4),
    "a shared source": lambda signal: merge(signal, Signal.empty()).share().values(4),
    "with the latest": lambda signal: with_latest(signal).values(4),
    "with the latest behind stages of the library": lambda signal: with_latest(signal).skip(0).values(4),
}


@pytest.mark.parametrize("name", BEHIND_A_PIPE)
@pytest.mark.parametrize("replay", [False, True])
def test_a_task_waits_until_the_readers_of_a_pipe_have_room(name, replay):
    async def main():
        pipe, sent, seen, ahead = Pipe(replay=replay), [], [], []

        async def send():
            for n in range(500):
                sent.append(n)
                pipe.next(n)
                assert await pipe.ready()
            pipe.complete()
            assert not await pipe.ready() and not pipe.is_paused

        values = BEHIND_A_PIPE[name](pipe.signal)
        beside = pipe.signal.start()  # which asks for nothing
        sending = asyncio.ensure_future(send())
        async for n in values:
            seen.append(n)
            if n % 50 == 0:
                for _ in range(20):
                    await asyncio.sleep(0)
                ahead.append(len(sent) - len(seen))
        await sending
        assert seen == sent == list(range(500)) and 1 < max(ahead) <= (8 if name == "a loop" else 5)
        beside.dispose()

    asyncio.run(asyncio.wait_for(main(), PATIENCE))


def test_a_reader_that_leaves_asks_for_nothing_more():
    async def main():
        pipe, resumed = Pipe(), asyncio.Event()
        values = pipe.signal.values(2)
        first = asyncio.ensure_future(anext(values))
        await asyncio.sleep(0)
        for n in range(5):
            pipe.next(n)
        assert await first == 0 and pipe.is_paused
        pipe.on_resume(resumed.set)
        await asyncio.sleep(0.001)
        assert not resumed.is_set()
        await values.aclose()
        assert not pipe.is_paused
        await resumed.wait()

    asyncio.run(asyncio.wait_for(main(), PATIENCE))


def test_a_full_buffer_that_pauses_blocks_no_thread():
    async def main():
        pipe = Pipe()

        def emit():
            for n in range(10):
                pipe.next(n)

        async with pipe.signal.values(2, "pause") as values:
            first = asyncio.ensure_future(anext(values))
            await asyncio.sleep(0)
            thread = threading.Thread(target=emit)
            thread.start()
            thread.join(PATIENCE)  # on the loop's thread, so nobody reads in the meantime
            assert not thread.is_alive()
            assert [await first] + [await anext(values) for _ in range(9)] == list(range(10))

    asyncio.run(main())


def test_several_readers_on_one_loop_wait_for_the_slowest():
    async def main():
        shared, seen = Signal.from_async_iterable(Signal.from_iterable(range(300)).values) | share(), {}

        async def read(name, pause, until):
            async with shared.values(limit=4) as values:
                async for n in values:
                    seen.setdefault(name, []).append(n)
                    for _ in range(pause):
                        await asyncio.sleep(0)
                    if n == until:
                        break

        await asyncio.wait_for(asyncio.gather(read("quick", 0, None), read("slow", 5, None), read("leaves", 3, 20)), PATIENCE)
        assert seen == {"quick": list(range(300)), "slow": list(range(300)), "leaves": list(range(21))}

    asyncio.run(main())


def joined(signal):
    return merge(signal, Signal.empty())


def with_latest(signal):
    """In Python."""
    return signal.with_latest_from(Signal.just("latest"), lambda n, _: n)


async def numbers():
    for n in range(2000):
        yield n


# Sources of 2,000 numbers that obey pauses, with a stage that joins signals. `count` gets each number at the source.
OBEYING = {
    "range": lambda count: joined(Signal.range(0, 2000).map(count)),
    "range on a queue": lambda count: joined(Signal.range(0, 2000).map(count).run_on(Queue())),
    "stages in Python and in the library": lambda count: joined(Signal.range(0, 2000).skip(0).map(count).skip(0).scan(lambda _, n: n, 0)),
    "iterable": lambda count: joined(Signal.from_iterable(range(2000)).map(count)),
    "iterable on a queue": lambda count: joined(Signal.from_iterable(range(2000)).map(count).run_on(Queue())),
    "asynchronous iterable": lambda count: joined(Signal.from_async_iterable(numbers).map(count)),
    "iterable of signals": lambda count: Signal.from_iterable(range(2000)).map(count).map_ordered(Signal.just, limit=1),
    "with the latest, on a queue": lambda count: with_latest(Signal.range(0, 2000).map(count).run_on(Queue())),
    "with the latest behind a stage": lambda count: joined(with_latest(with_latest(Signal.range(0, 2000).map(count)))),
}


# Those that emit in a loop of the library, on the loop's thread and on another one.
PARKING = "range", "range on a queue", "stages in Python and in the library", "with the latest, on a queue", "with the latest behind a stage"


class Produced(list):
    def count(self, n):
        self.append(n)
        return n

    def by(self, name):
        self.clear()
        return OBEYING[name](self.count)


@pytest.fixture
def produced():
    return Produced()


@pytest.mark.parametrize("name", OBEYING)
def test_a_slow_reader_is_never_more_than_its_limit_behind_a_source_that_obeys(name, produced):
    async def main():
        seen, ahead = [], []
        async for n in produced.by(name).values(limit=4):
            seen.append(n)
            if n % 100 == 0:
                await asyncio.sleep(0.002)
            ahead.append(len(produced) - len(seen))
        assert seen == list(range(2000))
        assert max(ahead) <= 4
        async for n in produced.by(name).values(limit=4):
            if n == 20:
                break
        gc.collect()
        await asyncio.sleep(0.002)
        assert 21 <= len(produced) <= 26  # nobody reads on

    asyncio.run(main())


def test_two_threads_are_at_most_two_values_further_ahead(produced):
    async def main():
        def counted(first):
            return Signal.range(first, 2000).map(lambda n: (produced.append(n), n)[1]).run_on(Queue())

        seen, ahead = [], []
        async for n in merge(counted(0), counted(5000)).values(limit=4):
            seen.append(n)
            if n % 100 == 0:
                await asyncio.sleep(0.001)
            ahead.append(len(produced) - len(seen))
        assert [n for n in seen if n < 5000] == list(range(2000)) and [n for n in seen if n >= 5000] == list(range(5000, 7000))
        assert max(ahead) <= 4 + 2  # each thread may have made a value before it saw the pause

    asyncio.run(main())


@pytest.mark.parametrize("name", PARKING)
def test_a_reader_that_is_cancelled_while_its_source_is_paused_stops_it(name, produced):
    async def main():
        stopped = []

        async def read():
            async for _ in (produced.by(name) | after_disposed(lambda: stopped.append(1))).values(limit=4):
                await asyncio.sleep(PATIENCE)

        task = asyncio.ensure_future(read())
        await until(lambda: len(produced) >= 4)
        await asyncio.sleep(0.01)
        assert len(produced) <= 5  # one is read, and three or four wait
        count = len(produced)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        del task
        gc.collect()
        await until(lambda: stopped == [1])
        assert len(produced) == count

    asyncio.run(main())


@pytest.mark.parametrize("goes_on", [False, True])
@pytest.mark.parametrize("name", PARKING)
def test_a_loop_that_is_closed_while_a_source_is_paused_leaves_nothing_alive(name, goes_on, produced):
    async def main():
        values = produced.by(name).values(limit=4)
        assert await anext(values) == 0
        await until(lambda: len(produced) >= 4)
        return values

    loop = asyncio.new_event_loop()
    values = loop.run_until_complete(main())
    for n in range(1, 3 if goes_on else 1):  # which resumes the source: on the loop, if it began there
        with pytest.raises(StopIteration, match=str(n)):
            anext(values).__await__().send(None)
    loop.close()
    time.sleep(0.01)
    assert len(produced) <= (7 if goes_on and "on a queue" in name else 5)
    del values


# Signals whose numbers a source of the library emits in a loop on the reader's thread.
ON_THE_LOOP = {
    **{name: OBEYING[name] for name in ("range", "stages in Python and in the library", "with the latest behind a stage")},
    "ranges in sequence": lambda count: Signal.range(0, 4).concat_map(lambda n: Signal.range(500 * n, 500).map(count)),
    "ranges behind an iterable": lambda count: Signal.from_iterable(range(4)).concat_map(lambda n: Signal.range(500 * n, 500).map(count)),
    "onto the loop": lambda count: Signal.range(0, 2000).map(count).deliver_on(asyncio.get_running_loop()),
}


@pytest.mark.parametrize("limit, least, most", [(4, 500, 5000), (256, 4, 200)])
@pytest.mark.parametrize("name", ON_THE_LOOP)
def test_the_functions_of_a_source_stay_on_the_thread_of_the_loop(name, limit, least, most):
    async def main():
        here, threads, produced, seen, ticks = threading.get_ident(), set(), [], [], 0

        def count(n):
            threads.add(threading.get_ident())
            produced.append(n)
            return n

        async def tick():
            nonlocal ticks
            while len(seen) < 2000:
                await asyncio.sleep(0)
                ticks += 1

        ticking = asyncio.ensure_future(tick())
        await asyncio.sleep(0)
        async for n in ON_THE_LOOP[name](count).values(limit):
            seen.append(n)
        await ticking
        assert seen == produced == list(range(2000)) and threads == {here}
        # The loop does its other work after some values each, and has no callback for each value of a larger buffer.
        assert least <= ticks <= most

    asyncio.run(main())


def test_a_stage_resumes_its_source_if_the_loop_is_closed_before():
    """The pause reaches the stage on the loop's thread, where the source begins. The source is none of the loop's."""
    condition, received, completed = Pipe(), [], threading.Event()

    def pause_at_three(n):
        if n == 3:
            condition.next(True)

    async def main():
        emitting = Signal.range(0, 2000).before_next(pause_at_three).skip(0).paused_by(condition.signal)
        return emitting.start(received.append, on_completed=completed.set)

    run = asyncio.run(main())
    assert received == [0, 1, 2, 3]
    condition.next(False)
    assert completed.wait(PATIENCE)
    assert received == list(range(2000))
    run.dispose()


def test_deliver_on_a_loop_pauses_its_source(produced):
    async def main():
        source = produced.by("range").repeat(3) | deliver_on(asyncio.get_running_loop())
        seen, ahead = [], []
        async for n in source.values(limit=4):
            seen.append(n)
            if len(seen) % 500 == 0:
                await asyncio.sleep(0.002)
            ahead.append(len(produced) - len(seen))
        assert seen == list(range(2000)) * 3
        assert 512 < max(ahead) <= 1024 + 4

    asyncio.run(main())


@pytest.mark.parametrize(
    "overflow, expected",
    [
        (None, [0, 1, 2, 3, 4, 5, 6, "end"]), ("pause", [0, 1, 2, 3, 4, 5, 6, "end"]), (("pause", "drop_newest"), [0, 1, 2, 3, "end"]),
        ("drop_newest", [0, 1, 2, 3, "end"]), ("drop_oldest", [3, 4, 5, 6, "end"]), ("latest", [4, 5, 6, "end"]),
        ("error", [0, 1, 2, 3, "4 values wait already"]),
    ],
)
def test_deliver_on_a_loop_with_a_limit(overflow, expected):
    """For a source that cannot be paused."""

    async def main():
        pipe, seen, stopped = Pipe(), [], []
        signal = (pipe.signal | after_disposed(lambda: stopped.append(True))).deliver_on(asyncio.get_running_loop(), limit=4, overflow=overflow)
        run = signal.start(seen.append, on_error=lambda error: seen.append(str(error)), on_completed=lambda: seen.append("end"))
        for n in range(7):
            pipe.next(n)
            if n == 4:
                assert bool(stopped) == (overflow == "error")
        pipe.complete()
        await until(lambda: len(seen) >= len(expected))
        assert seen == expected
        run.dispose()

    asyncio.run(main())


@pytest.mark.parametrize("overflow, most", [(None, 8), ("pause", 8), (("pause", "error"), 6)])
def test_deliver_on_a_loop_pauses_its_source_at_the_limit(overflow, most, produced):
    async def main():
        seen, ahead = [], []

        def receive(n):
            seen.append(n)
            ahead.append(len(produced) - len(seen))

        run = produced.by("range").deliver_on(asyncio.get_running_loop(), limit=8, overflow=overflow).start(receive)
        assert len(produced) == most
        await until(lambda: len(seen) == 2000)
        assert seen == list(range(2000)) and max(ahead) < most
        run.dispose()
        with pytest.raises(ValueError, match="deliver_on: limit must be 1 or more, or None"):
            Signal.just(1).deliver_on(asyncio.get_running_loop(), limit=0)

    asyncio.run(main())


@pytest.mark.parametrize("name", OBEYING.keys() - {"asynchronous iterable"})
def test_a_hold_reaches_a_source_behind_stages_of_python(name, produced):
    seen, there, go, done = [], threading.Event(), threading.Event(), threading.Event()

    def receive(n):
        seen.append(n)
        if n == 10:
            there.set()
            assert go.wait(PATIENCE)

    run = (produced.by(name) | run_on(Queue())).start(receive, on_completed=done.set)
    assert there.wait(PATIENCE)
    with run.hold():
        go.set()
        time.sleep(0.01)  # for more that must not come
        assert len(seen) == 11 and len(produced) <= 12
    assert done.wait(PATIENCE)
    assert seen == list(range(2000))


def test_what_cannot_wait_on_the_readers_loop_is_kept_beyond_the_limit():
    def generate(subscriber):
        for n in range(5000):
            subscriber.next(n)
        subscriber.complete()

    async def main():
        pipe = Pipe()

        def put():
            for n in range(5000):
                pipe.next(n)
            pipe.complete()

        asyncio.get_running_loop().call_soon(put)
        for signal in pipe.signal, Signal.create(generate), Signal.create(generate) | map(lambda n: n) | serialized():
            assert [n async for n in signal] == list(range(5000))
        # the values of one element may exceed the space; the next element waits
        taken = []
        several = Signal.from_iterable(range(2)) | before_next(taken.append) | concat_map(lambda _: Signal.create(generate))
        async with several.values(limit=10) as values:
            assert await values.__anext__() == 0 and taken == [0]
        with pytest.raises(OverflowedError):
            async for n in Signal.create(generate).values(overflow="error"):
                pass

    asyncio.run(main())


def test_a_generator_obeys_pauses():
    async def main():
        produced = 0

        async def numbers():
            nonlocal produced
            for n in range(100):
                produced += 1
                yield n

        received = []
        run = Signal.from_async_iterable(numbers).start(received.append)
        with run.hold():
            for _ in range(20):
                await asyncio.sleep(0.001)
            assert produced == 0 and received == []
        while len(received) < 100:
            await asyncio.sleep(0.001)
        assert received == list(range(100))
        # The end wakes a generator that waits.
        made = []
        second = Signal.create(made.append).start()
        hold = second.hold()
        assert made[0].is_paused
        waiting = asyncio.ensure_future(made[0].ready())
        await asyncio.sleep(0.01)
        assert not waiting.done()
        second.dispose()
        assert await waiting is False and not made[0].is_paused
        hold.dispose()

    asyncio.run(main())


def test_first():
    async def main():
        queue = Queue()
        assert await (Signal.just(5) | run_on(queue)).first() == 5
        with pytest.raises(NoValueError):
            await Signal.empty().first()
        with pytest.raises(ZeroDivisionError):
            await (Signal.just(0) | map(lambda n: 1 / n)).first()
        stopped = []
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for((Signal.never() | after_disposed(lambda: stopped.append(1))).first(), 0.01)
        assert stopped == [1]

    asyncio.run(main())


def test_from_async_iterable(log):
    closed = []

    async def numbers():
        try:
            for n in range(5):
                await asyncio.sleep(0)
                yield n
        finally:
            closed.append(1)

    async def broken():
        yield 1
        raise KeyError

    async def main():
        signal = Signal.from_async_iterable(numbers)
        assert [n async for n in signal] == [n async for n in signal] == list(range(5))
        assert [n async for n in signal | take(2)] == [0, 1]
        await until(lambda: len(closed) == 3)
        log.start(Signal.from_async_iterable(broken))
        await until(lambda: len(log) == 2)
        assert log[0] == 1 and isinstance(log[1], KeyError)
        run = log.start(Signal.from_async_iterable(numbers))
        await asyncio.sleep(0)
        run.dispose()
        await asyncio.sleep(0.05)
        started = len(log)
        await asyncio.sleep(0.05)
        assert len(log) == started
        for made in from_coroutine, libsignalkit.from_coroutine, Signal.from_coroutine:
            assert await made(lambda: asyncio.sleep(0.001, "slept")).first() == "slept"
        assert repr(libsignalkit.loop_queue()) == "<Queue: asyncio>"

    asyncio.run(main())


def test_a_source_of_asyncio_is_started_from_another_thread():
    async def numbers():
        yield threading.get_ident()

    async def main():
        loop = asyncio.get_running_loop()
        signal = Signal.from_async_iterable(numbers, loop)
        assert await loop.run_in_executor(None, lambda: signal.get(PATIENCE)) == threading.get_ident()

    asyncio.run(main())


def test_the_main_queue_on_a_loop():
    async def main():
        with main_queue():
            fired, here = asyncio.Event(), threading.get_ident()
            queue = Queue.main()
            timer = Timer(0.01, lambda: threading.get_ident() == here and fired.set(), queue=queue)
            timer.start()
            await asyncio.wait_for(fired.wait(), PATIENCE)
            pipe, where = Pipe(), []
            run = (pipe.signal | deliver_on(queue)).start(lambda v: where.append((v, threading.get_ident() == here)))
            for thread in emit_on_threads(pipe, 1, 100):
                await asyncio.get_running_loop().run_in_executor(None, thread.join)
            await until(lambda: len(where) == 100)
            assert where == [((0, n), True) for n in range(100)]
            run.dispose()

    asyncio.run(main())


def test_a_queue_on_a_loop(log):
    async def main():
        queue, here = loop_queue(), threading.get_ident()
        pipe = Pipe()
        began = time.monotonic()
        run = (pipe.signal | throttle(0.02, queue=queue)).start(lambda v: log.append((v[1], threading.get_ident() == here)))
        for thread in emit_on_threads(pipe, 1, 100):
            await asyncio.get_running_loop().run_in_executor(None, thread.join)
        await until(lambda: log[-1:] == [(99, True)])
        assert log[0] == (0, True) and len(log) <= 2 + (time.monotonic() - began) / 0.02
        run.dispose()
        fired = asyncio.Event()
        timer = Timer(0.01, fired.set, queue=queue)
        timer.start()
        await asyncio.wait_for(fired.wait(), PATIENCE)
        assert [v async for v in Signal.never() | timeout(0.01, queue=queue) | catch_with(Signal.just("late"))] == ["late"]
        assert queue.dropped == 0
        return queue

    queue = asyncio.run(main())  # which closes the loop
    queue.dispatch(lambda: log.append("never"))
    assert queue.dropped == 1 and "never" not in log


EXIT = """
import asyncio, threading
from libsignalkit import Pipe, Queue, Timer
from libsignalkit.operators import deliver_on
pipe, queue, closed = Pipe(), Queue(), threading.Event()
timer = Timer(0.0005, lambda: pipe.next(object()), queue=queue, repeat=True)
timer.start()
async def main():
    global run
    came = asyncio.Event()
    run = (pipe.signal | deliver_on(asyncio.get_running_loop())).start(
        lambda v: came.set(), on_error=lambda error: (print(type(error).__name__, flush=True), closed.set()))
    await came.wait()
asyncio.run(main())
closed.wait()
print("end", flush=True)
"""


def test_a_program_that_ends_in_the_middle_of_everything_ends():
    for _ in range(3):
        ended = subprocess.run([sys.executable, "-c", EXIT], capture_output=True, text=True, timeout=PATIENCE)
        assert ended.returncode == 0 and ended.stdout.split() == ["LoopClosedError", "end"], ended.stdout + ended.stderr


TIMED = {
    "debounce": lambda pipe, **on: pipe.debounce(0.001, **on),
    "throttle": lambda pipe, **on: pipe.throttle(0.001, **on).skip(1),
    "delay": lambda pipe, **on: pipe.delay(timedelta(milliseconds=1), limit=10, **on),
    "chunked": lambda pipe, **on: pipe.chunked(10, 0.001, **on),
    "sample": lambda pipe, **on: pipe.sample(0.001, **on),
    "delay_start": lambda pipe, **on: pipe.ignore_values().concat_with(Signal.just(1).delay_start(timedelta(milliseconds=1), **on)),
    "rate_limit": lambda pipe, **on: pipe.rate_limit(1, 0.001, waiting=10, **on).skip(1),
    "retry": lambda pipe, **on: Signal.fail(KeyError()).retry(2, delay=0.001, **on).catch(Signal.just),
    "retry by decide": lambda pipe, **on: Signal.fail(KeyError()).retry(2, decide=lambda e, n: timedelta(milliseconds=1), **on).catch(Signal.just),
    "take_for": lambda pipe, **on: pipe.take_for(0.001, **on).ignore_values().concat_with(Signal.just(1)),
    "timeout": lambda pipe, **on: pipe.timeout(0.001, **on).catch(Signal.just).take_last(),
    "interval": lambda pipe, **on: Signal.interval(0.001, **on),
    "timer": lambda pipe, **on: Signal.timer(timedelta(milliseconds=1), **on),
}


@pytest.mark.parametrize("name", TIMED)
def test_time_passes_on_the_running_loop_or_on_the_concurrent_queue(name):
    def start(on, then):
        """Starts the signal of a pipe that emits two values. Returns a list of the thread of the result, which is empty until then."""
        pipe, threads = Pipe(), []

        def receive(value):
            threads.append(threading.get_ident())
            then()

        runs.append(TIMED[name](pipe.signal, **on).take(1).start(receive))
        pipe.next(1)
        pipe.next(2)
        if name == "delay_start":
            pipe.complete()
        return threads

    async def main():
        loop, came = asyncio.get_running_loop(), asyncio.Event()
        here = start({}, came.set)
        await came.wait()
        assert here == [threading.get_ident()]
        there = []
        starter = threading.Thread(target=lambda: there.append(start({"queue": loop}, lambda: None)))
        starter.start()
        starter.join()  # on the loop's thread, so that no time passes for the loop during the start
        await until(lambda: there[0])
        assert there[0] == here

    runs = []
    asyncio.run(main())
    came = threading.Event()
    start({}, came.set)
    assert came.wait(PATIENCE)
    for run in runs:
        run.dispose()


def test_a_timer_without_a_queue_fires_on_the_running_loop():
    async def main():
        fired = asyncio.Event()
        timer = Timer(timedelta(milliseconds=1), fired.set)
        timer.start()
        await fired.wait()

    asyncio.run(main())
    fired = threading.Event()
    timer = Timer(0.001, fired.set)
    timer.start()
    assert fired.wait(PATIENCE)


SOURCES = {
    "library": lambda emitting: (Signal.interval(0.001, queue=emitting), lambda: None),
    "library, made for each run": lambda emitting: (Signal.interval(0.001, queue=emitting).take_while(lambda n: True), lambda: None),
    "pipe": lambda emitting: (lambda pipe: (pipe.signal, lambda: emitting.dispatch(lambda: pipe.next(1))))(Pipe()),
    "state": lambda emitting: (lambda state: (state.signal.skip_while(lambda n: n == 0), lambda: emitting.dispatch(lambda: state.set(1))))(State(0)),
    "joined": lambda emitting: (
        lambda pipe: (pipe.signal.with_latest_from(Signal.just(1)), lambda: emitting.dispatch(lambda: pipe.next(1))))(Pipe()),
}


@pytest.mark.parametrize("name", SOURCES)
def test_async_with_waits_for_a_callback_that_runs(name):
    emitting, events = Queue("emitting"), []
    inside, leave = threading.Event(), threading.Event()

    def receive(value):
        inside.set()
        assert leave.wait(PATIENCE)
        events.append("callback over")

    async def main():
        loop = asyncio.get_running_loop()
        signal, emit = SOURCES[name](emitting)
        async with signal.start(receive) as run:
            emit()
            await loop.run_in_executor(None, inside.wait)
            loop.call_later(0.02, lambda: (events.append("the loop runs"), leave.set()))
        events.append("left")
        return repr(run)

    assert asyncio.run(main()) in ("<Run: disposed>", "<Run: over>")
    assert events == ["the loop runs", "callback over", "left"]
    emitting.sync(lambda: None)


def test_async_with_disposes_others_as_well():
    async def main():
        for run in Signal.from_iterable([1]).start(), Signal.from_iterable([1]).skip(5).start(), outside, Disposable.action(lambda: events.append("action")):
            async with run as same:
                assert same is run

    events = []
    outside = Signal.never().after_disposed(lambda: events.append("outside")).start()
    asyncio.run(main())
    assert events == ["outside", "action"]


def test_await_is_first():
    async def main():
        assert await Signal.from_iterable([1, 2]).map(str) == "1"
        error = KeyError()
        with pytest.raises(KeyError):
            await Signal.fail(error)
        error.__traceback__ = None
        with pytest.raises(NoValueError):
            await Signal.empty()
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(Pipe(replay=True).signal, 0.001)

    asyncio.run(main())


def test_map_async():
    def counted(concurrency):
        now, most, cancelled = [], [0], []

        async def double(n):
            now.append(n)
            most[0] = max(most[0], len(now))
            try:
                await asyncio.sleep(0.003 if n == 0 else 0)
            except asyncio.CancelledError:
                cancelled.append(n)
                raise
            finally:
                now.remove(n)
            return 1 // (n - 9) + 2 * n

        return Signal.range(0, 4).map_async(double, concurrency=concurrency), most, cancelled, double

    async def main():
        for concurrency in 1, 3:
            signal, most, cancelled, double = counted(concurrency)
            assert await signal.to_array() == [-1 + 2 * n for n in range(4)] and most == [concurrency]
            assert await signal == -1  # the others end with it
            with pytest.raises(ZeroDivisionError):
                await Signal.just(9).map_async(double)
            del cancelled[:]
            run = Signal.just(0).map_async(double).start()
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            run.dispose()
            await until(lambda: cancelled == [0])
        assert await (Signal.just(3).run_on(Queue()) | libsignalkit.operators.map_async(double)) == 5

    with pytest.raises(RuntimeError, match="no running event loop"):
        Signal.just(1).map_async(asyncio.sleep)
    asyncio.run(main())


@pytest.mark.parametrize("concurrency", [1, 3])
def test_map_async_pauses_its_source(concurrency):
    """The source continues on the loop's thread if it began there."""
    made, threads, taken = [0, 0], set(), [0]

    def count(_):
        made[0] += 1
        threads.add(threading.get_ident())

    async def double(n):
        await asyncio.sleep(0)
        made[1] = max(made[1], made[0] - taken[0])
        taken[0] += 1
        return 2 * n

    async def main():
        doubled = Signal.range(0, 200).before_next(count).map_async(double, concurrency=concurrency)
        assert await doubled.to_array() == [2 * n for n in range(200)]
        assert made == [200, concurrency] and threads == {threading.get_ident()}
        made[:], taken[0] = [0, 0], 0
        assert [n async for n in doubled.values(4)] == [2 * n for n in range(200)]
        assert made == [200, concurrency] and threads == {threading.get_ident()}
        made[:], taken[0] = [0, 0], 0
        reading = asyncio.get_running_loop().run_in_executor(None, lambda: list(doubled.iterate()))
        assert await reading == [2 * n for n in range(200)] and made == [200, concurrency]

    asyncio.run(main())


def test_the_end_of_a_loop_cancels_a_call_of_map_async_that_begins():
    """The first call ends one turn before the program, and the second one begins."""
    program = """
import asyncio, gc
from libsignalkit import Signal

async def main():
    first = asyncio.get_running_loop().create_future()

    async def wait(n):
        await (asyncio.sleep(9) if n else first)

    run = Signal.range(0, 2).map_async(wait).start()
    for _ in range(9):
        await asyncio.sleep(0)
    first.set_result(None)
    await asyncio.sleep(0)
    return run

run = asyncio.run(main())
run.dispose()
del run
gc.collect()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stdout) == (0, "") and "destroyed" not in done.stderr


def test_a_coroutine_function_is_refused_where_nobody_awaits():
    async def wait(value=None):
        pass

    numbers = Signal.from_iterable([1])
    for call in (
        numbers.map, numbers.filter, numbers.compact_map, numbers.before_next, numbers.scan, numbers.take_while, numbers.switch_map, numbers.catch,
        numbers.start, Signal.deferred, Queue.main().dispatch, lambda f: numbers.start(on_completed=f), lambda f: numbers | libsignalkit.operators.map(f),
    ):
        with pytest.raises(TypeError, match="needs a function.* not the coroutine function .*, which map_async awaits"):
            call(wait)
