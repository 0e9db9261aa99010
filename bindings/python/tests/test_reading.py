"""Blocking reads: signal.get, signal.iterate."""

import asyncio
import threading
import time

import pytest
from conftest import PATIENCE

from libsignalkit import NoValueError, Overflow, OverflowedError, Pipe, Queue, Signal, UsageError, VirtualQueue
from libsignalkit.operators import deliver_on, delay_start, map, run_on


def test_for_each_value():
    assert list(Signal.from_iterable("abc").iterate()) == ["a", "b", "c"]
    assert list((Signal.from_iterable(range(1000)) | run_on(Queue("other"))).iterate(limit=2)) == list(range(1000))
    assert list(Signal.empty().iterate()) == []


def test_errors_are_raised():
    def fail(_):
        raise KeyError("here")

    reader = (Signal.from_iterable([1]) | map(fail)).iterate()
    for _ in range(2):
        with pytest.raises(KeyError):
            reader.next()
    with pytest.raises(KeyError):
        (Signal.just(1) | map(fail)).get(PATIENCE)
    with pytest.raises(NoValueError):
        Signal.never().get()  # nobody is there who could emit
    with pytest.raises(TimeoutError):
        Signal.never().get(0.01)


def test_what_overflows():
    many = Signal.from_iterable(range(6))
    assert list(many.iterate(2, "drop_oldest")) == [4, 5]
    assert list(many.iterate(2, "drop_newest")) == [0, 1]
    assert list(many.iterate(2, "latest")) == [4, 5]
    assert list(many.iterate(2, "wait")) == list(range(6))  # it would wait for itself
    reader = many.iterate(2, "error")
    assert [reader.next(), reader.next()] == [0, 1]
    with pytest.raises(OverflowedError):
        reader.next()
    for wrong in [{"limit": 0}, {"overflow": "often"}]:
        with pytest.raises(ValueError):
            many.iterate(**wrong)


@pytest.mark.parametrize("policy", list(Overflow), ids=str)
def test_a_policy_is_a_string_everywhere(policy):
    numbers = Signal.from_iterable([1, 2, 3])
    waits = [lambda p: numbers.iterate(2, p).close(), lambda p: numbers.values(2, p)]
    pauses = [
        lambda p: numbers.zip(numbers, limit=2, overflow=p), lambda p: numbers.merge_map(Signal.just, limit=1, waiting=1, overflow=p),
        lambda p: numbers.delay(1, limit=2, overflow=p), lambda p: numbers.rate_limit(1, 1, waiting=1, overflow=p),
        lambda p: numbers.deliver_on(Queue(), overflow=p), lambda p: numbers.deliver_on(loop, overflow=p),
    ]
    others = [
        lambda p: numbers.to_array(limit=2, overflow=p), lambda p: numbers.distinct(limit=2, overflow=p),
        lambda p: numbers.group_by(str, lambda key, values: values, limit=2, overflow=p),
    ]
    loop = asyncio.new_event_loop()
    loop.close()
    assert str(policy) == policy == policy.value and type(policy) is Overflow
    for makes, refused, possible in (waits, (), "'wait', 'pause'"), (pauses, ("wait",), "'pause'"), (others, ("wait", "pause"), "'drop_oldest'"):
        for make in makes:
            for one in policy, policy.value:
                if policy not in refused:
                    make(one)
            for wrong in *refused, "often", ("pause",):
                with pytest.raises(ValueError, match=f"overflow must be {possible}, .*not {wrong!r}" if type(wrong) is str else "'pause'"):
                    make(wrong)
    for make in pauses:
        if policy in ("wait", "pause"):
            with pytest.raises(ValueError, match=f"overflow must be 'drop_oldest', .*not '{policy}'"):
                make(("pause", policy.value))
        else:
            make(("pause", policy.value))
            with pytest.raises(ValueError, match="a pair of policies must be 'pause' and another one, not"):
                make((policy, "pause"))


def counted(count, produced):
    return Signal.range(0, count).before_next(produced.append)


def test_a_reader_pauses_its_source():
    produced = []
    with counted(100, produced).iterate(4, "pause") as reader:
        assert produced == [0, 1, 2, 3]  # on this thread, which is not blocked
        assert list(reader) == list(range(100))


def test_a_second_policy_decides_about_a_source_that_goes_on():
    pipe, queue = Pipe(), VirtualQueue()
    seen = []
    run = pipe.signal.deliver_on(queue, limit=4, overflow=("pause", "drop_oldest")).start(seen.append)
    for n in range(6):
        pipe.next(n)
    queue.run(100)
    assert seen == [2, 3, 4, 5]
    run.dispose()
    produced = []
    run = counted(100, produced).deliver_on(queue, limit=4, overflow=("pause", "drop_oldest")).start(seen.append)
    assert produced == [0, 1, 2]  # from three quarters of the limit
    run.dispose()


# Operators whose buffer pauses the source, and how many values that has made then.
BUFFERS = {
    "deliver_on": (lambda signal, queue: signal.deliver_on(queue, limit=4), 4),
    "deliver_on by its policy": (lambda signal, queue: signal.deliver_on(queue, overflow="pause"), 1024),
    "delay": (lambda signal, queue: signal.delay(1, limit=4, overflow="pause", queue=queue), 4),
    "rate_limit": (lambda signal, queue: signal.rate_limit(1, 0.001, waiting=4, overflow="pause", queue=queue), 5),
    "zip": (lambda signal, queue: signal.zip(Signal.range(0, 2000).delay_start(1, queue=queue), limit=4, overflow="pause").map(lambda pair: pair[0]), 4),
    "merge_map": (lambda signal, queue: signal.merge_map(lambda n: Signal.just(n).delay_start(0.001, queue=queue), limit=1, waiting=4, overflow="pause"), 5),
    "map_ordered": (lambda signal, queue: signal.map_ordered(lambda n: Signal.just(n).delay_start(1, queue=queue), limit=2, waiting=0, overflow="pause"), 2),
}


@pytest.mark.parametrize("name", BUFFERS)
def test_a_full_buffer_pauses_its_source(name, wait_until):
    buffer, limit = BUFFERS[name]
    produced, seen, done = [], [], []
    queue = VirtualQueue()
    run = buffer(counted(3 * limit, produced), queue).start(seen.append, on_completed=lambda: done.append(True))
    assert len(produced) == limit

    def move():
        queue.advance(0.5)
        return done

    wait_until(move)
    assert seen == produced == list(range(3 * limit))
    run.dispose()


def test_who_emits_waits():
    pipe = Pipe()
    emitted = []

    def emit():
        for n in range(10):
            pipe.next(n)
            emitted.append(n)

    reader = pipe.signal.iterate(limit=3)
    thread = threading.Thread(target=emit)
    thread.start()
    seen = []
    for _ in range(5):
        seen.append(reader.next(PATIENCE))
        assert len(emitted) <= len(seen) + 3
    reader.close()  # frees it
    thread.join(PATIENCE)
    assert seen == [0, 1, 2, 3, 4] and emitted == list(range(10))
    assert list(reader) == []


def test_closing_wakes_who_waits():
    pipe = Pipe()
    with pipe.signal.iterate() as reader:
        seen = []
        thread = threading.Thread(target=lambda: seen.extend(reader))
        thread.start()
        pipe.next(1)
        while not seen:
            time.sleep(0.001)
    thread.join(PATIENCE)
    assert seen == [1]


def test_a_timeout():
    pipe = Pipe()
    reader = pipe.signal.iterate(timeout=0.01)
    with pytest.raises(TimeoutError):
        next(reader)
    pipe.next(5)
    assert next(reader) == 5
    with pytest.raises(TimeoutError):
        reader.next(0)


def test_where_one_may_wait():
    main, own = Queue.main(), Queue("own")
    assert (Signal.just(1) | run_on(own) | deliver_on(main)).get(PATIENCE) == 1  # the wait runs the main queue
    refused = []

    def ask():
        try:
            (Signal.just(1) | delay_start(0.001, queue=own)).get()
        except UsageError as error:
            refused.append(str(error))

    own.sync(ask)
    assert refused == ["Reader.next: thread must not wait inside work of a serial queue"]


def test_a_raised_error_does_not_retain_the_signal_that_fails_with_it():
    def failing():
        return Signal.fail(ValueError()).map(str)

    async def values():
        async for _ in failing():
            pass

    async def first():
        await failing()

    reads = [lambda: failing().get(), lambda: failing().get(1), lambda: list(failing().iterate()), lambda: asyncio.run(values()), lambda: asyncio.run(first())]
    for read in reads:
        with pytest.raises(ValueError):
            read()
