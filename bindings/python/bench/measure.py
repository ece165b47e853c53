"""Medians of interleaved rounds: machines are shared, and their speed drifts, so every contender runs in every round."""

import statistics
import sys
import time

QUICK = "quick" in sys.argv


def measure(title, contenders, units, rounds=31):
    """Prints nanoseconds per unit and the ratio to the first contender. Returns the times, a list for each contender.

    contenders: functions by name. units: the amount of work in a call.
    """
    times = {name: [] for name in contenders}
    for round_ in range(-1, 1 if QUICK else rounds):  # round -1 warms up
        for name, run in contenders.items():
            start = time.perf_counter_ns()
            run()
            if round_ >= 0:
                times[name].append((time.perf_counter_ns() - start) / units)
    first = next(iter(times.values()))
    print(f"\n{title:64} {'ns':>9} {'of first':>9}")
    for name, values in times.items():
        print(f"  {name:62} {statistics.median(values):9.2f} {ratio(values, first):8.2f}x")
    return times


def ratio(values, others):
    """The median of the ratios of the rounds."""
    return statistics.median(a / b for a, b in zip(values, others, strict=True))
