"""Six programs of the papers in Arr, in C fused by hand, in Numba and in NumPy, called from Python on the same arrays.

Prints a table of processor times of one thread: medians of rounds in which the ways take turns, arrc's in milliseconds and the
others as multiples of it. Before anything is timed, all results are compared.

usage: scripts/bench --python [--size N] [--rounds N] [PROGRAM…]
"""

import argparse
import ctypes
import dataclasses
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import time
import typing

import numba
import numpy as np
import with_numba
import with_numpy

import arrc

PROJECT = pathlib.Path(__file__).resolve().parents[2]
#: A way is called so often in a round that this takes about as many seconds.
ROUND = 0.02
#: The ways that stand beside arrc, in the order of the table.
OTHERS = ("C", "Numba", "NumPy")


@dataclasses.dataclass
class Program:
    """A program of a paper: where its Arr and C are, and arrays of about a number of elements."""

    name: str
    paper: str
    arr: str
    c: str
    inputs: typing.Callable
    #: What C gives: the number of dimensions and the dtype of each result; None for a scalar.
    results: tuple
    entry: str = ""


def points(size):
    rng = np.random.default_rng(3)
    return rng.random(size), rng.random(size)


def integers(size):
    return (np.random.default_rng(1).integers(-1000, 1001, size),)


def square(size):
    side = int(size**0.5)
    return np.random.default_rng(1).random((side, side)), 0.9


F64S, I64S = (1, "f8"), (1, "i8")
PROGRAMS = [
    Program("quickhull", "000", "examples/quickhull.arr", "quickhull", points, (F64S, F64S)),
    Program("closest_points", "000", "examples/closest_points.arr", "closest_points", points, ((0, "f8"),)),
    Program("quadtree", "000", "examples/quadtree.arr", "quadtree", lambda size: (*points(size), 100), (F64S,) * 4 + (I64S,) * 3 + (F64S,) * 2),
    Program("normalize2", "001", "bench/programs/normalize2.arr", "normalize2", integers, (I64S, I64S), "normalize2_i64"),
    Program("filter_max", "002", "bench/programs/filters.arr", "filters", lambda size: (0, *integers(size)), (I64S, (0, "i8")), "filter_max_i64"),
    Program("convolution", "004", "examples/convolution.arr", "convolution", square, ((2, "f8"), (0, "?")), "step_2"),
]


class C:
    """A library of a baseline, called as arrc's own code is: arrays by pointer, sizes and strides."""

    def __init__(self, program, folder):
        library = pathlib.Path(folder) / f"{program.c}.so"
        source = PROJECT / "bench/programs" / f"{program.c}.c"
        compiler = ["clang-22", "-O3", "-march=native", "-shared", "-fPIC"]
        if not library.exists():
            subprocess.run([*compiler, source, "-lm", "-o", library], check=True)
        self.results = program.results
        self.call = getattr(ctypes.CDLL(str(library)), f"{program.entry or program.name}__uniform")

    def prepare(self, inputs):
        """A function without parameters that makes the call: the time to convert the arguments is not measured."""
        given = [_argument(value) for value in inputs]
        made = [_Array[rank]() if rank else np.ctypeslib.as_ctypes_type(dtype)() for rank, dtype in self.results]
        arguments = [_pointers(made), _pointers(given)]

        def call():
            if self.call(None, *arguments):
                raise RuntimeError("the call of C failed")

        call.results = lambda: tuple(_result(value, *kind) for value, kind in zip(made, self.results))
        call.kept = (inputs, given, made)
        return call


def _array(rank):
    extents = ctypes.c_int64 * rank
    fields = [("data", ctypes.c_void_p), ("shape", extents), ("stride", extents), ("owner", ctypes.c_void_p)]
    return type(f"array_{rank}d", (ctypes.Structure,), {"_fields_": fields})


_Array = {rank: _array(rank) for rank in (1, 2)}


def _argument(value):
    if not isinstance(value, np.ndarray):
        return ctypes.c_double(value) if isinstance(value, float) else ctypes.c_int64(value)
    strides = (stride // value.itemsize for stride in value.strides)
    extents = ctypes.c_int64 * value.ndim
    return _Array[value.ndim](value.ctypes.data, extents(*value.shape), extents(*strides), None)


def _pointers(values):
    return (ctypes.c_void_p * len(values))(*(ctypes.addressof(value) for value in values))


def _result(value, rank, dtype):
    if rank == 0:
        return value.value
    shape = tuple(value.shape)
    count = int(np.prod(shape))
    kind = np.ctypeslib.as_ctypes_type(dtype) * count
    return np.frombuffer(kind.from_address(value.data), dtype).reshape(shape) if count else np.empty(shape, dtype)


def flat(result):
    """The arrays and scalars of a result, in order."""
    return [part for item in result for part in flat(item)] if isinstance(result, tuple) else [result]


def ways(program, size, folder):
    """The calls by the names of their columns."""
    inputs = program.inputs(size)
    entry = program.entry or program.name
    fused = arrc.compile(str(PROJECT / program.arr), threads=1)[entry]
    c = C(program, folder).prepare(inputs)
    calls = {"arrc": lambda: fused(*inputs), "C": c}
    for name, module in (("Numba", with_numba), ("NumPy", with_numpy)):
        calls[name] = lambda function=getattr(module, program.name): function(*inputs)
    expected = flat(calls["arrc"]())
    for name in OTHERS:
        result = calls[name]()
        for ours, theirs in zip(expected, flat(c.results() if name == "C" else result), strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-9, err_msg=f"{program.name}: {name}")
    return calls


def measure(calls, rounds):
    """The median of each call's processor time in seconds, and how far the middle half of the rounds lies apart."""
    counts = {}
    for name, call in calls.items():
        start = time.thread_time()
        call()
        counts[name] = max(1, int(ROUND / max(1e-6, time.thread_time() - start)))
    times = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            start = time.thread_time()
            for _ in range(counts[name]):
                call()
            times[name].append((time.thread_time() - start) / counts[name])
    medians = {name: statistics.median(found) for name, found in times.items()}
    quartiles = {name: statistics.quantiles(found, n=4) for name, found in times.items()}
    return medians, {name: (quartiles[name][2] - quartiles[name][0]) / medians[name] for name in calls}


def machine():
    """One line on what this was measured with."""
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    model = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())
    versions = f"Python {platform.python_version()}, NumPy {np.__version__}, Numba {numba.__version__}, clang 22"
    load = " ".join(f"{load:.1f}" for load in os.getloadavg())
    return f"{model}, {os.cpu_count()} cores, load {load}; {versions}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help="those to measure; all by default")
    parser.add_argument("--size", type=int, default=1_000_000, help="elements or points; 1,000,000 by default")
    parser.add_argument("--rounds", type=int, default=9)
    asked = parser.parse_args()
    chosen = [program for program in PROGRAMS if not asked.programs or program.name in asked.programs]
    if len(chosen) < len(asked.programs):
        parser.error(f"the programs are {', '.join(program.name for program in PROGRAMS)}")
    print(f"{machine()}\n{asked.size:,} elements, {asked.rounds} rounds\n")
    print(f"| program | paper | arrc, ms | {' | '.join(OTHERS)} | spread |")
    print("| --- | --- | ---: | " + " | ".join(["---:"] * (len(OTHERS) + 1)) + " |")
    with tempfile.TemporaryDirectory() as folder:
        for program in chosen:
            medians, spreads = measure(ways(program, asked.size, folder), asked.rounds)
            ratios = " | ".join(f"{medians[name] / medians['arrc']:.2f}" for name in OTHERS)
            spread = max(spreads.values())
            print(f"| `{program.name}` | {program.paper} | {medians['arrc'] * 1e3:.2f} | {ratios} | {spread:.0%} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
