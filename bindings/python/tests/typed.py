"""Pipelines whose types mypy and pyright check, together with the READMEs and the examples. (Both report a difference as an error.)"""

from __future__ import annotations

import asyncio

from typing_extensions import assert_type

from libsignalkit import Event, Pipe, Queue, Signal, State, Values, combine_latest, concat, merge, race, zip
from libsignalkit import deliver_on, map, take

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
assert_type(numbers.signal.to_events(), Signal[Event])
assert_type(numbers.signal.chunked(3, 0.1, queue=queue), Signal[tuple[int, ...]])
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
