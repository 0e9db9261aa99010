"""Pipelines whose types mypy and pyright check, together with the READMEs and the examples. (Both report a difference as an error.)"""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import NoReturn

from typing_extensions import assert_type

from libsignalkit import (
    Completed, Disposable, Event, Failed, Next, Overflow, Pipe, Queue, Signal, State, Subscriber, Values, combine_latest, concat, merge, race, zip,
)
from libsignalkit.operators import concat_with, deliver_on, distinct_until_changed, map, pairwise, retry, take, timeout

numbers = Pipe[int]()
words = State("a")
queue = Queue()


def length(word: str) -> int:
    return len(word)


loop = asyncio.new_event_loop()

assert_type(numbers.signal.filter(lambda n: n % 2 == 0), Signal[int])
assert_type(numbers.signal.map(lambda n: n / 2), Signal[float])
assert_type(numbers.signal.map(str).map(len).scan(lambda sum, n: sum + n, 0.5), Signal[float])
assert_type(numbers.signal.compact_map(lambda n: str(n) if n else None), Signal[str])
assert_type(numbers.signal.pairwise(), Signal[tuple[int, int]])
assert_type(numbers.signal.enumerated().map(lambda pair: pair[1]), Signal[int])
assert_type(numbers.signal.distinct(), Signal[int])
assert_type(numbers.signal.to_array(limit=10), Signal[list[int]])
assert_type(numbers.signal.to_events(), Signal[Event[int]])
assert_type(numbers.signal.chunked(3, 0.1, queue=queue), Signal[tuple[int, ...]])
assert_type(numbers.signal.windowed(3), Signal[tuple[int, ...]])
assert_type(numbers.signal.timestamped(queue=queue), Signal[tuple[float, int]])
assert_type(numbers.signal.throttle(0.1, queue=queue).deliver_on(loop), Signal[int])

# Signals of signals.
inner = numbers.signal.map(lambda n: Signal.just(str(n)))
assert_type(inner.concat_all(), Signal[str])
assert_type(inner.switch_to_latest(), Signal[str])
assert_type(inner.merge_all(limit=2), Signal[str])
assert_type(inner.merge_all_ordered(limit=2), Signal[str])
assert_type(numbers.signal.switch_map(lambda n: words.signal), Signal[str])

# Several.
assert_type(combine_latest(numbers.signal, words.signal), Signal[tuple[int, str]])
assert_type(numbers.signal.combine_latest(words.signal, inner.concat_all()), Signal[tuple[int, str, str]])
assert_type(zip(numbers.signal, words.signal), Signal[tuple[int, str]])
assert_type(numbers.signal.zip(words.signal, limit=10), Signal[tuple[int, str]])
assert_type(merge(numbers.signal, numbers.signal), Signal[int])
assert_type(numbers.signal.concat(numbers.signal), Signal[int])
assert_type(concat(words.signal, words.signal).race(words.signal), Signal[str])
assert_type(race(words.signal), Signal[str])

# Behind `|`.
assert_type(words.signal | map(length), Signal[int])
assert_type(numbers.signal | take(3) | deliver_on(queue), Signal[int])

# Out of it.
assert_type(words.signal.get(), str)
assert_type(words.signal.values(), Values[str])
words.signal.start(str.upper, on_error=lambda error: None, on_completed=lambda: None)

# What a reader expects of each form.
ints = Signal.from_iterable([1, 2, 3])
texts = ints.map(str)
assert_type(ints, Signal[int])
assert_type(ints | map(str), Signal[str])
assert_type(ints | take(2), Signal[int])
assert_type(ints | (map(str) | map(len)), Signal[int])
assert_type(ints | (map(str) | take(2)), Signal[str])
assert_type(ints | (take(2) | map(str)), Signal[str])
assert_type(ints | take(2) | map(str), Signal[str])
assert_type(ints | (map(str) | pairwise()), Signal[tuple[str, str]])
assert_type(ints | pairwise(), Signal[tuple[int, int]])
assert_type(ints | distinct_until_changed() | retry(3) | timeout(1), Signal[int])
assert_type(ints | concat_with(texts), Signal["int | str"])
assert_type(ints.scan(lambda a, b: a + b, 0), Signal[int])
assert_type(ints.scan(lambda a, b: a + b), Signal[int])
assert_type(ints.reduce(lambda a, b: a + b, 0.5), Signal[float])
assert_type(ints.switch_map(lambda n: Signal.just(str(n))), Signal[str])
assert_type(ints.with_latest_from(texts), Signal[tuple[int, str]])
assert_type(ints.with_latest_from(texts, lambda n, text: n * len(text)), Signal[int])
assert_type(merge(ints, texts), Signal["int | str"])
assert_type(ints.merge(texts), Signal["int | str"])
assert_type(concat(ints, texts, ints), Signal["int | str"])
assert_type(race(ints, texts), Signal["int | str"])
assert_type(ints.concat_with(texts), Signal["int | str"])
assert_type(ints.start_with(None), Signal["int | None"])
assert_type(ints.catch(lambda error: Signal.just(0)), Signal[int])
assert_type(ints.catch(lambda error: Signal.fail(error)), Signal[int])
assert_type(ints.switch_if_empty(Signal.empty()), Signal[int])
assert_type(Signal.empty(), Signal[NoReturn])
unknown: Signal[str] = Signal.never()
assert_type(ints.map(Signal.just).switch_to_latest(), Signal[int])
assert_type(ints.share(replay=1).debounce(0.3), Signal[int])
assert_type(ints.get(), int)
assert_type([n for n in ints.iterate()], "list[int]")
assert_type(ints.to_events().from_events(), Signal[int])

objects: Signal[object] = ints  # a Signal[int] is a Signal[object]
ints.values(8, Overflow.DROP_OLDEST), ints.values(8, "drop_oldest")
ints.values(8, "often")  # type: ignore[arg-type]
assert_type(ints.delay(1, overflow="pause").deliver_on(loop, limit=4, overflow=("pause", "drop_oldest")), Signal[int])
ints.deliver_on(loop, overflow="wait")  # type: ignore[arg-type]
ints.deliver_on(loop, overflow=("drop_oldest", "pause"))  # type: ignore[arg-type]
ints.start(print, print)  # type: ignore[call-arg]
ints.debounce(timedelta(seconds=1), queue=loop)
numbers.next("x")  # type: ignore[arg-type]
state = State(0)
assert_type(state.value, int)
assert_type(state.update(lambda n: n + 1), int)


def tick(subscriber: Subscriber[str]) -> None:
    subscriber.next("tick")


assert_type(Signal.create(tick), Signal[str])


def shown(event: Event[int]) -> str:
    match event:
        case Next(value):
            assert_type(value, int)
            return str(value)
        case Failed(error):
            return str(error)
        case Completed():
            return "completed"


async def fetch(n: int) -> str:
    return str(n)


async def main() -> None:
    async for n in ints:
        assert_type(n, int)
    assert_type(await ints, int)
    assert_type(await ints.first(), int)
    assert_type(Signal.from_coroutine(lambda: fetch(1)), Signal[str])
    assert_type(ints.map_async(fetch), Signal[str])
    assert_type(ints.map_async(lambda n: fetch(n), concurrency=4), Signal[str])
    async with numbers.signal.start(print) as run:
        assert_type(run, Disposable)
