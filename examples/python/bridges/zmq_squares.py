#!/usr/bin/env python3
"""ZeroMQ in Python, with pyzmq: pulled messages are a signal, and the values of a signal are pushed, as fast as the receiver takes them. One process
pushes and pulls, so that the example is complete. It could be two processes on two machines.

    examples/python/bridges/zmq_squares.py"""

import asyncio
import operator
import os
from typing import AsyncIterator

import zmq
import zmq.asyncio

from libsignalkit import Signal

COUNT = 1000


def pull(context: zmq.asyncio.Context, endpoint: str, limit: int) -> Signal[bytes]:
    """The messages pushed to an endpoint, with a limit of pending messages. Each subscription has its own socket."""

    async def messages() -> AsyncIterator[bytes]:
        with context.socket(zmq.PULL) as socket:
            socket.rcvhwm = limit
            socket.bind(endpoint)
            while True:
                yield await socket.recv()

    return Signal.from_async_iterable(messages)


async def push(socket: zmq.asyncio.Socket, endpoint: str, values: Signal[bytes], limit: int) -> None:
    socket.sndhwm = limit
    socket.connect(endpoint)
    async for value in values:
        await socket.send(value)  # waits when the limits of both sides are reached


async def main() -> None:
    # The sender stays open until all messages have arrived: if it closes, ZeroMQ can lose messages to a receiver that has reached its limit.
    with zmq.asyncio.Context() as context, context.socket(zmq.PUSH) as pusher:
        endpoint = f"ipc://@zmq_squares.{os.getpid()}"
        numbers = Signal.range(1, COUNT).map(lambda number: str(number).encode())
        pushing = asyncio.create_task(push(pusher, endpoint, numbers, limit=10))
        squares = pull(context, endpoint, limit=10).map(lambda data: int(data) ** 2)
        print("sum:", await squares.take(COUNT).reduce(operator.add, 0))
        await pushing


if __name__ == "__main__":
    asyncio.run(main())
