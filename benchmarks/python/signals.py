"""This library, through bindings/python."""

import os
import sys

import frames
from frames import is_odd, plus_one
from harness import run

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
os.environ["SIGNALKIT_LIBRARY"] = os.path.join(ROOT, "build/embedded/lib/libsignalkit.so.1")
sys.path.insert(0, os.path.join(ROOT, "bindings/python/src"))

from libsignalkit import Pipe, filter, map  # noqa: E402

NAME = "SignalKit (Python)"


def ten_maps(count):
    pipe = Pipe()
    signal = pipe.signal
    for _ in range(10):
        signal = signal | map(plus_one)
    return frames.ten_maps(count, pipe.next, signal.start)


def broadcast(count):
    pipe = Pipe()
    return frames.broadcast(count, pipe.next, pipe.signal.start)


def subscribe_and_dispose(count):
    pipe = Pipe()
    return frames.subscribe_and_dispose(count, pipe.next, (pipe.signal | map(plus_one) | filter(is_odd)).start)


run([
    ("W11.maps", NAME, 200_000, ten_maps),
    ("W11.broadcast", NAME, 1_000_000, broadcast),
    ("W11.subscribe", NAME, 50_000, subscribe_and_dispose),
])
