"""Search as you type, with debounce and switch over asyncio: each line of the input is the text of the field after a key."""

import asyncio
import sys

from libsignalkit import Signal, descriptors

WORDS = ["signal", "signature", "single", "sink", "subscriber", "switch"]


def search(text: str) -> Signal["list[str]"]:
    """The next text cancels it, also while it waits."""
    found = Signal.deferred(lambda: Signal.just([word for word in WORDS if word.startswith(text)]))
    return found.delay_start(0.02)


async def main() -> None:
    texts = descriptors.lines(sys.stdin).map(str.rstrip).filter(lambda text: len(text) >= 2)
    async for found in texts.debounce(0.05).distinct_until_changed().switch_map(search):
        print(f"{len(found)} found:", *found)


asyncio.run(main())
