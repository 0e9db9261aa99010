#!/usr/bin/env python3
"""Runs the soak of a language, interrupts it repeatedly, and measures its memory: `run.py SECONDS COMMAND…`.

The program prints `ready` when it can be interrupted, and `interrupted` for SIGINT. Then it reads a line: `continue` or
`end`. Its threads use the package all the time. After `end` it prints `rounds N` and `alive N`, its live objects.
"""

import os
import random
import signal
import statistics
import subprocess
import sys
import time

LONGEST = 0.02  # seconds until the next interrupt
PATIENCE = 300  # seconds without an answer: the interrupt is lost
PARTS = 8  # of the time; memory is compared between the second and the last one
WARM = 60  # seconds after which caches and compilers have what they need
GROWTH, GROWTH_PARTS = 4096, 0.1  # allowed growth: KiB, and a part of the memory of the second part


def resident(process):
    with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:"))


def expect(process, wanted):
    signal.alarm(PATIENCE)
    if (line := process.stdout.readline().strip()) != wanted:
        process.kill()
        sys.exit(f"soak: {line!r} instead of {wanted!r}; status {process.wait()}")
    signal.alarm(0)


def soak(process, seconds):
    """Returns the number of interrupts, and the median of the resident memory in each part of the time."""
    begin, interrupts, memory = time.monotonic(), 0, [[] for _ in range(PARTS)]
    while True:
        expect(process, "ready")
        time.sleep(random.uniform(0, LONGEST))
        process.send_signal(signal.SIGINT)
        expect(process, "interrupted")
        interrupts += 1
        passed = time.monotonic() - begin
        memory[min(int(PARTS * passed / seconds), PARTS - 1)].append(resident(process))
        is_over = passed >= seconds
        process.stdin.write("end\n" if is_over else "continue\n")
        process.stdin.flush()
        if is_over:
            return interrupts, [int(statistics.median(part)) for part in memory if part]


def main():
    seconds, command = float(sys.argv[1]), sys.argv[2:]
    # A child of a background job of a shell would ignore interrupts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    signal.signal(signal.SIGALRM, lambda *_: (process.kill(), sys.exit("soak: an interrupt is lost")))
    interrupts, memory = soak(process, seconds)
    signal.alarm(PATIENCE)
    found = dict(line.split() for line in process.stdout)
    status = process.wait()
    print(f"{seconds:g} seconds, {interrupts} interrupts, {found}, resident: {memory} KiB, status {status}")
    assert status == 0 and found["alive"] == "0", "objects are alive at the end"
    assert int(found["rounds"]) > 0 and interrupts > 1, "nothing was done"
    if seconds >= WARM:
        allowed = memory[1] * (1 + GROWTH_PARTS) + GROWTH
        assert memory[-1] <= allowed, f"memory grew to more than {allowed:.0f} KiB"


if __name__ == "__main__":
    os.environ["PYTHONUNBUFFERED"] = "1"
    main()
