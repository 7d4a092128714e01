"""Sorts, positions in order, and medians of rows: by Arr and by NumPy on the same arrays.

Prints a table of processor times of one thread: medians of rounds in which the two take turns, Arr's in microseconds, and Arr's as a
multiple of NumPy's. Each result is compared before it is timed.

usage: scripts/bench --sorts [--rounds N] [ENTRY…]
"""

import argparse
import os
import pathlib
import statistics
import sys
import time

import numpy as np

import arrc

FOLDER = pathlib.Path(__file__).resolve().parent
#: Each way works on about as many elements in a round.
ROUND = 1 << 18
def uniform(rng, count, dtype):
    """Numbers of the whole range of integers, or of a normal distribution."""
    if np.issubdtype(dtype, np.floating):
        return rng.standard_normal(count).astype(dtype)
    limits = np.iinfo(dtype)
    return rng.integers(limits.min, limits.max, count, dtype=dtype)


#: Numbers in a pattern, from a generator, their number and their type.
PATTERNS = {
    "random": uniform,
    "sorted": lambda rng, count, dtype: np.sort(uniform(rng, count, dtype)),
    "reversed": lambda rng, count, dtype: np.sort(uniform(rng, count, dtype))[::-1].copy(),
    "ten values": lambda rng, count, dtype: rng.integers(0, 10, count).astype(dtype),
}


def middles(x):
    return np.partition(x, x.shape[1] // 2, axis=1)[:, x.shape[1] // 2]


def medians(x):
    half = x.shape[1] // 2
    if x.shape[1] % 2:
        return middles(x)
    parted = np.partition(x, (half - 1, half), axis=1)
    return parted[:, half - 1] * 0.5 + parted[:, half] * 0.5


ENTRIES = (
    *(f"sort_{dtype}" for dtype in ("i32", "i64", "f32", "f64")),
    *(f"order_{dtype}" for dtype in ("i32", "i64", "f64")),
    *("rows_f64", "middles_f64", "medians_f64"),
)

#: The ways of NumPy: what is timed, and what the result is compared with.
NUMPY = {
    "sort": (np.sort, np.sort),
    "order": (np.argsort, lambda x: np.argsort(x, kind="stable")),
    "rows": (lambda x: np.sort(x, axis=1),) * 2,
    "middles": (middles, middles),
    "medians": (medians, medians),
}


def cases(entry):
    """The arrays of an entry, each with a description."""
    rng = np.random.default_rng(1)
    name, dtype = entry.split("_")
    dtype = np.dtype({"i": "i", "f": "f"}[dtype[0]] + str(int(dtype[1:]) // 8))
    if name in ("sort", "order"):
        for count in (100, 1000, 10_000, 100_000, 1_000_000):
            for pattern in PATTERNS if count == 100_000 else ("random",):
                yield f"{count:,}, {pattern}", PATTERNS[pattern](rng, count, dtype)
    else:
        for length in (10, 100, 1000, 4000, 4096, 5000):
            rows = max(1, ROUND // length)
            yield f"rows of {length:,}", uniform(rng, rows * length, dtype).reshape(rows, length)


def seconds(function, x, times):
    start = time.thread_time()
    for _ in range(times):
        function(x)
    return (time.thread_time() - start) / times


def measure(name, entry, x, rounds):
    """The median of Arr's time in seconds, that of its ratio to NumPy's time, and how far the middle half of the ratios lies apart."""
    timed, expected = NUMPY[name.split("_")[0]]
    np.testing.assert_array_equal(entry(x), expected(x))
    times = max(1, ROUND // x.size)
    ours, ratios = [], []
    for _ in range(rounds):
        ours.append(seconds(entry, x, times))
        ratios.append(ours[-1] / seconds(timed, x, times))
    quartiles = statistics.quantiles(ratios, n=4)
    return statistics.median(ours), statistics.median(ratios), quartiles[2] - quartiles[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("entries", nargs="*", metavar="ENTRY", help="those to measure; all by default")
    parser.add_argument("--rounds", type=int, default=9, help="2 or more; 9 by default")
    asked = parser.parse_args()
    module = arrc.compile(str(FOLDER / "sorts.arr"))
    print(f"NumPy {np.__version__}, load {os.getloadavg()[0]:.1f}, {asked.rounds} rounds")
    print("\n| entry | numbers | Arr, µs | ratio to NumPy | spread |")
    print("| --- | --- | ---: | ---: | ---: |")
    for name in asked.entries or ENTRIES:
        entry = module[name]
        for what, x in cases(name):
            ours, ratio, spread = measure(name, entry, x, asked.rounds)
            print(f"| `{name}` | {what} | {ours * 1e6:.1f} | {ratio:.2f} | {spread:.2f} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
