import asyncio
import gc
import time

import pytest

import libsignalkit
from libsignalkit import _contexts, _values

PATIENCE = 300  # seconds that nothing here takes, on whatever machine: what has not come by then does not come


@pytest.fixture(autouse=True)
def nothing_left_alive():
    """Each test lets go of everything: no handle, no callback's context and no object stays."""
    yield
    deadline = time.monotonic() + PATIENCE
    while True:
        gc.collect()
        if libsignalkit.live_total() == 0 or time.monotonic() > deadline:
            break
        time.sleep(0.01)  # a queue may be letting go of its last work
    assert libsignalkit.live_counts() == {}
    assert _contexts.contexts == {}
    assert _values._objects == {} and _values._boxes == {}


class Log(list):
    """What happens to a run, as a list."""

    def start(self, signal):
        return signal.start(self.append, lambda error: self.append(error), lambda: self.append("completed"))


@pytest.fixture
def log():
    log = Log()
    yield log
    log.clear()  # exceptions keep the frames that they went through


def wait_until(condition):
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it does not come"
        time.sleep(0.002)


async def until(condition):
    """The same on a loop, whose work goes on."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it does not come"
        await asyncio.sleep(0.002)


@pytest.fixture(name="wait_until")
def wait_until_fixture():
    return wait_until
