"""Shared code of the benchmark programs in Python. `bench.h` describes their arguments and output."""

import sys
import time


def timed(count, work):
    """Returns the nanoseconds of one of `count` repetitions."""
    start = time.perf_counter_ns()
    work()
    return (time.perf_counter_ns() - start) / count


def check(actual, expected, what):
    """The program ends here if it has not computed what it was to compute."""
    if actual != expected:
        sys.exit(f"{what}: {actual} instead of {expected}")


def sum_of(count):
    """0 + 1 + … + (count - 1)."""
    return count * (count - 1) // 2


def run(cases):
    """A case is (row, name, count, function)."""
    if len(sys.argv) < 3:
        for row, name, count, _ in cases:
            print(row, name, count, sep="\t")
        return
    for row, name, count, function in cases:
        if [row, name] == sys.argv[1:3]:
            if len(sys.argv) > 3:
                measure = function(int(sys.argv[3]))
            else:
                function(count // 10)
                measure = function(count)
            print(row, name, f"{measure:.3f}", sep="\t")
            return
    sys.exit(f"no case {sys.argv[1]} of {sys.argv[2]}")
