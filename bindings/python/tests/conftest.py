import asyncio
import gc
import time
import traceback
from collections import Counter

import pytest

import libsignalkit
from libsignalkit import _contexts, _values

PATIENCE = 300  # seconds, more than any step needs on any machine: a later event counts as missing


FAILED = pytest.StashKey()


def pytest_runtest_makereport(item, call):
    if call.when == "call" and call.excinfo:
        item.stash[FAILED] = call.excinfo.value


def alive():
    gc.collect()
    python = {"contexts": len(_contexts.contexts), "objects": len(_values._objects), "boxes": len(_values._boxes)}
    return Counter(libsignalkit.live_counts()) + Counter(python)


@pytest.fixture(autouse=True)
def nothing_left_alive(request):
    """Checks that each test releases everything: no handle, callback context or object stays. The objects of a failed test are ignored, because its
    exception retains its frames. Later tests neither wait for them nor fail because of them."""
    before = alive()
    yield
    error = request.node.stash.get(FAILED, None)
    if error:
        while error:
            traceback.clear_frames(error.__traceback__)
            error = error.__cause__ or error.__context__
        return
    deadline = time.monotonic() + PATIENCE
    while alive() - before and time.monotonic() < deadline:
        time.sleep(0.01)  # a queue may be releasing its last work
    assert alive() - before == {}


class Log(list):
    """The events of a subscription, as a list."""

    def start(self, signal):
        return signal.start(self.append, on_error=lambda error: self.append(error), on_completed=lambda: self.append("completed"))


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
    """The same on a loop, which continues to run its work."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it does not come"
        await asyncio.sleep(0.002)


@pytest.fixture(name="wait_until")
def wait_until_fixture():
    return wait_until
