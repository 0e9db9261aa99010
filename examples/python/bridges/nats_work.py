#!/usr/bin/env python3
"""NATS in Python, with nats-py: the messages of a stream are a signal, and each is settled when its pipeline ends. Several processes share the work.

    examples/python/bridges/nats_work.py [URL]"""

import asyncio
import operator
import sys
from typing import AsyncIterator, TypeVar

import nats
from nats.aio.msg import Msg
from nats.js import JetStreamContext
from nats.js.api import ConsumerConfig, RetentionPolicy

from libsignalkit import Signal
from libsignalkit.aio import from_coroutine

T = TypeVar("T")
AT_ONCE = 4


def consume(stream: JetStreamContext, subject: str, name: str) -> Signal[Msg]:
    """The messages of a stream's subject, shared by all consumers of this name, until all are settled. The number of messages in flight is limited to
    the number of parallel tasks."""

    async def messages() -> AsyncIterator[Msg]:
        consumer = await stream.pull_subscribe(subject, name, config=ConsumerConfig(max_ack_pending=AT_ONCE))
        try:
            while True:
                try:
                    for message in await consumer.fetch(AT_ONCE, timeout=1):
                        yield message
                except asyncio.TimeoutError:
                    info = await consumer.consumer_info()
                    if not info.num_pending and not info.num_ack_pending:
                        break
        finally:
            await consumer.unsubscribe()

    return Signal.from_async_iterable(messages)


def settled(pipeline: Signal[T], message: Msg) -> Signal[T]:
    """The pipeline, at the end of which the message is done with; when it fails the message comes again, and so it does when this process dies."""

    def refused(error: BaseException) -> Signal[T]:
        return from_coroutine(message.nak).ignore_values().concat_with(Signal.fail(error))

    return pipeline.concat_with(from_coroutine(message.ack).ignore_values()).catch(refused)


def squared(message: Msg) -> Signal[int]:
    return settled(Signal.just(int(message.data)).map(lambda number: number * number), message)


async def main(url: str) -> None:
    client = await nats.connect(url)
    stream = client.jetstream()
    await stream.add_stream(name="NUMBERS", subjects=["numbers"], retention=RetentionPolicy.WORK_QUEUE)
    async for number in Signal.range(1, 10):  # one after the other: the stream has each before the next
        await stream.publish("numbers", str(number).encode())
    print("sum:", await consume(stream, "numbers", "squarers").merge_map(squared, limit=AT_ONCE).reduce(operator.add, 0))
    print("left:", (await stream.stream_info("NUMBERS")).state.messages)
    await client.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "nats://127.0.0.1"))
