#!/usr/bin/env python3
"""D-Bus in Python, with dbus-fast: signals and calls of the bus are signals. Prints the names on the bus, then new names until COUNT have appeared.

    examples/python/bridges/dbus_names.py [COUNT]"""

import asyncio
import sys
from typing import Any, Callable

from dbus_fast import Message, MessageType
from dbus_fast.aio import MessageBus

from libsignalkit import Signal, Subscriber, merge
from libsignalkit.aio import from_coroutine

NAME, PATH = "org.freedesktop.DBus", "/org/freedesktop/DBus"


class BusError(Exception):
    pass


def call(bus: MessageBus, member: str, signature: str = "", *arguments: Any) -> Signal[list[Any]]:
    """Each start calls a method of the bus; its value is what the reply has."""

    async def ask() -> list[Any]:
        reply = await bus.call(Message(NAME, PATH, NAME, member, signature=signature, body=list(arguments)))
        if reply is None or reply.message_type == MessageType.ERROR:
            raise BusError(reply and reply.error_name, reply and reply.body)
        return list(reply.body)

    return from_coroutine(ask)


def signals(bus: MessageBus, interface: str, member: str) -> Signal[list[Any]]:
    """The arguments of these signals of the bus, from the time on when it has taken note of them."""

    def heard(subscriber: Subscriber[list[Any]]) -> Callable[[], object]:
        def hear(message: Message) -> None:
            if message.message_type == MessageType.SIGNAL and (message.interface, message.member) == (interface, member):
                subscriber.next(message.body)

        bus.add_message_handler(hear)
        return lambda: bus.remove_message_handler(hear)

    match = call(bus, "AddMatch", "s", f"type='signal',interface='{interface}',member='{member}'")
    return match.ignore_values().concat_with(Signal.create(heard))


async def main(count: int) -> None:
    bus = await MessageBus().connect()
    already = call(bus, "ListNames").concat_map(lambda reply: Signal.from_iterable(reply[0]))
    changes = signals(bus, NAME, "NameOwnerChanged")
    come = changes.filter(lambda change: change[2]).map(lambda change: change[0])
    owned = from_coroutine(lambda: bus.request_name("org.example.Names")).ignore_values()
    names = merge(come, already.concat_with(owned)).filter(lambda name: not name.startswith(":")).distinct(limit=1000)
    async for name in names.take(count + 1):
        print(name)
    bus.disconnect()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 10))
