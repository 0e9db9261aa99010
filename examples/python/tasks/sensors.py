"""Fusion of two sensors with sharing and a late subscriber, in virtual time."""

import math

from libsignalkit import Signal, VirtualQueue, combine_latest

clock = VirtualQueue()


def sensor(seconds: float, rate: float) -> Signal[float]:
    readings = Signal.interval(seconds, queue=clock).map(lambda tick: 20 + 8 * math.sin(tick * rate))
    return readings.filter(lambda reading: reading < 27.5)  # an implausible reading is dropped


average = combine_latest(sensor(0.5, 0.3), sensor(0.7, 0.2)).map(lambda both: sum(both) / 2)
smooth = average.scan(lambda before, reading: 0.7 * before + 0.3 * reading)
fused = smooth.distinct_until_changed(lambda before, reading: abs(before - reading) < 0.05).share(1)
with fused.start(lambda reading: print(f"display {reading:.2f}")):
    clock.advance(3)
    with fused.start(lambda reading: print(f"late {reading:.2f}")):
        clock.advance(2)
