#!/usr/bin/env python3
"""MQTT in Python, with aiomqtt: a topic is a signal, and the values of a signal are published. The broker retains the state of each room.

    examples/python/bridges/mqtt_rooms.py [HOST [PORT]]"""

import asyncio
import sys
from typing import AsyncIterator

import aiomqtt

from libsignalkit import Signal


def topic(host: str, port: int, pattern: str, qos: int = 0) -> Signal[aiomqtt.Message]:
    """The messages of a topic pattern, retained messages first. Each subscription has its own connection, and fails with a MqttError if that is lost."""

    async def messages() -> AsyncIterator[aiomqtt.Message]:
        async with aiomqtt.Client(host, port) as client:
            await client.subscribe(pattern, qos)
            async for message in client.messages:
                yield message

    return Signal.from_async_iterable(messages)


async def main(host: str, port: int) -> None:
    readings = Signal.from_iterable([("cellar", 12.0), ("kitchen", 21.0), ("kitchen", 21.5)])
    async with aiomqtt.Client(host, port) as client:
        async for room, celsius in readings:  # one after the other: the broker has acknowledged each before the next
            await client.publish(f"house/{room}/celsius", str(celsius), qos=1, retain=True)

    rooms = topic(host, port, "house/+/celsius", qos=1).retry(reset_on_value=True)
    states = rooms.map(lambda message: (str(message.topic).split("/")[1], float(message.payload)))
    async for room, celsius in states.take(2):
        print(f"{room}: {celsius}")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1", int(sys.argv[2]) if len(sys.argv) > 2 else 1883))
