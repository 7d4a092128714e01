"""Four programs over files in chunks: by arrc.dask, by dask.array, and by NumPy chunk after chunk, on threads and on a cluster.

Prints a table of times by the clock: medians of rounds in which the ways take turns, arrc's in milliseconds, and arrc's as a multiple
of the others'. Where there are several ways with dask.array, the fastest counts. NumPy runs on one thread in both tables. Before
anything is timed, all results are compared.

usage: scripts/bench --dask [--size N] [--chunk N] [--rounds N] [--workers N] [PROGRAM…]
"""

import argparse
import contextlib
import dataclasses
import logging
import os
import pathlib
import platform
import statistics
import sys
import tempfile
import time
import typing

import dask
import dask.array as da
import numpy as np
import with_dask
from distributed import Client, LocalCluster

import arrc
import arrc.dask

PROJECT = pathlib.Path(__file__).resolve().parents[2]
KEYS, STEPS = 1000, 5


@dataclasses.dataclass
class Program:
    """A program, the scalars that come before its arrays, its files, and the functions that it is compared with."""

    name: str
    arr: str
    scalars: tuple
    files: tuple
    arrays: tuple
    numpy: typing.Callable
    #: The function that turns arrc's results into values.
    finish: typing.Callable = dask.compute


PROGRAMS = [
    Program(
        "quickhull",
        "examples/quickhull.arr",
        (),
        ("x", "y"),
        (with_dask.quickhull, with_dask.quickhull_of_hulls),
        with_dask.quickhull_numpy,
    ),
    Program(
        "normalize2",
        "bench/python/chunks.arr",
        (),
        ("k",),
        (with_dask.normalize2_masked, with_dask.normalize2_where),
        with_dask.normalize2_numpy,
        with_dask._sums,
    ),
    Program("histogram", "bench/python/chunks.arr", (KEYS,), ("k",), (with_dask.histogram,), with_dask.histogram_numpy),
    Program(
        "logistic",
        "bench/python/chunks.arr",
        (STEPS,),
        ("x", "y"),
        (with_dask.logistic_at_once, with_dask.logistic_step_by_step),
        with_dask.logistic_numpy,
    ),
]


def load(first, path, dtype, chunk, count):
    """A chunk of a file."""
    first = int(first[0])
    return np.memmap(path, dtype, "r", 8 * first, min(chunk, count - first))


class Files:
    """Files of random numbers."""

    def __init__(self, folder, size, chunk):
        self.folder, self.size, self.chunk = folder, size, chunk
        random = np.random.default_rng(5)
        self.made = {
            "x": ("f8", random.random),
            "y": ("f8", random.random),
            "k": ("i8", lambda count: random.integers(0, KEYS, count)),
        }
        for name, (_, numbers) in self.made.items():
            with open(self.path(name), "wb") as file:
                for first in range(0, size, chunk):
                    numbers(min(chunk, size - first)).tofile(file)

    def path(self, name):
        return os.path.join(self.folder, name)

    def array(self, name):
        """A file as a dask array."""
        dtype, firsts = self.made[name][0], range(0, self.size, self.chunk)
        lengths = tuple(min(self.chunk, self.size - first) for first in firsts)
        arguments = (self.path(name), dtype, self.chunk, self.size)
        firsts = da.from_array(np.array(firsts), chunks=1)
        return da.map_blocks(load, firsts, *arguments, dtype=dtype, chunks=(lengths,), meta=np.empty(0, dtype))

    def chunks(self, names):
        """The chunks of files one after the other, of several side by side."""
        for first in range(0, self.size, self.chunk):
            yield [load([first], self.path(name), self.made[name][0], self.chunk, self.size) for name in names]


def ways(program, files):
    """The calls by name; those with dask.array have a number."""
    arrays = [files.array(name) for name in program.files]
    entry = arrc.compile(str(PROJECT / program.arr))[program.name]

    def by_arrc():
        results = arrc.dask.run(entry, *program.scalars, *arrays)
        return program.finish(*(results if isinstance(results, tuple) else (results,)))

    calls = {"arrc": by_arrc, "NumPy": lambda: program.numpy(lambda: files.chunks(program.files), *program.scalars)}
    for number, function in enumerate(program.arrays):
        calls[f"dask.array {number}"] = lambda function=function: function(*program.scalars, *arrays)
    expected = calls["arrc"]()
    for name, call in calls.items():
        for ours, theirs in zip(expected, call(), strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-9, err_msg=f"{program.name}: {name}")
    return calls


def measure(calls, rounds):
    """The median of each call's time in seconds, and how far the middle half of the rounds lies apart."""
    times = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            start = time.perf_counter()
            call()
            times[name].append(time.perf_counter() - start)
    medians = {name: statistics.median(found) for name, found in times.items()}
    quartiles = {name: statistics.quantiles(found, n=4) for name, found in times.items()}
    return medians, {name: (quartiles[name][2] - quartiles[name][0]) / medians[name] for name in calls}


@contextlib.contextmanager
def scheduler(name, workers, folder):
    """Runs the block of a `with` on threads, or on a cluster of processes of one thread."""
    if name == "threads":
        with dask.config.set(scheduler="threads", num_workers=workers):
            yield
    else:
        options = {"threads_per_worker": 1, "dashboard_address": None, "local_directory": folder}
        with LocalCluster(n_workers=workers, **options) as cluster, Client(cluster) as client:
            # The workers import modules from the folder of this script.
            client.run(sys.path.append, str(pathlib.Path(__file__).parent))
            yield


def machine():
    """One line on what this was measured with."""
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    model = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())
    versions = f"Python {platform.python_version()}, NumPy {np.__version__}, Dask {dask.__version__}"
    load = " ".join(f"{load:.1f}" for load in os.getloadavg())
    return f"{model}, {os.cpu_count()} cores, load {load}; {versions}"


def row(program, files, rounds):
    medians, spreads = measure(ways(program, files), rounds)
    ours = medians["arrc"]
    arrays = min((name for name in medians if name.startswith("dask")), key=medians.get)
    ratios = " | ".join(f"{ours / medians[name]:.2f}" for name in (arrays, "NumPy"))
    spread = max(spreads[name] for name in ("arrc", arrays, "NumPy"))
    return f"| `{program.name}` | {ours * 1e3:.0f} | {ratios} | {spread:.0%} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help="those to measure; all by default")
    parser.add_argument("--size", type=int, default=1 << 26, help="elements or points; 67,108,864 by default")
    parser.add_argument("--chunk", type=int, default=1 << 22, help="elements of a chunk; 4,194,304 by default")
    parser.add_argument("--rounds", type=int, default=7, help="2 or more; 7 by default")
    parser.add_argument("--workers", type=int, default=2, help="threads, or processes of the cluster; 2 by default")
    asked = parser.parse_args()
    chosen = [program for program in PROGRAMS if not asked.programs or program.name in asked.programs]
    if len(chosen) < len(asked.programs):
        parser.error(f"the programs are {', '.join(program.name for program in PROGRAMS)}")
    # The scheduler warns where dask.array computes the same chunks in two graphs.
    logging.getLogger("distributed").setLevel(logging.ERROR)
    print(f"{machine()}\n{asked.size:,} elements in chunks of {asked.chunk:,}, {asked.rounds} rounds, {asked.workers} workers")
    with tempfile.TemporaryDirectory() as folder:
        files = Files(folder, asked.size, asked.chunk)
        for name in ("threads", "cluster"):
            print(f"\n| {name} | arrc, ms | ratio to dask.array | ratio to NumPy by chunks | spread |")
            print("| --- | ---: | ---: | ---: | ---: |")
            with scheduler(name, asked.workers, folder):
                for program in chosen:
                    print(row(program, files, asked.rounds), flush=True)


if __name__ == "__main__":
    sys.exit(main())
