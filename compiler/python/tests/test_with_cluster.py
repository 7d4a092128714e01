"""Entries on a cluster of two processes; and programs over files of 4 GB within 2 GiB of memory.

ARR_LARGE_BYTES sets another size of these files.
"""

import collections
import math
import os
import pathlib
import re
import signal
import tempfile
import threading
import time
import unittest

import dask
import dask.array as da
import dask.dataframe as dd
import numpy
import pandas
from distributed import Client, LocalCluster

import arrc
import arrc.dask

SOURCE = r"""
entry normalize2 [n] (xs: [n]i64): ([n]i64, [n]i64) =
  let gts = filter (> 0) xs
  in (map (/ reduce (+) 0 xs) xs, map (/ reduce (+) 0 gts) xs)
entry counts [n] (k: i64) (xs: [n]i64): [k]i64 = hist (+) 0 k xs (map (\_ -> 1) xs)
"""


class Cluster(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None)
        cls.client = Client(cls.cluster)
        cls.module = arrc.compile(source=SOURCE, opt_level=1)
        cls.xs = numpy.random.default_rng(3).integers(-5, 50, 1_000_000)

    @classmethod
    def tearDownClass(cls):
        cls.client.close()
        cls.cluster.close()

    def test_results(self):
        xs = da.from_array(self.xs, chunks=100_000)
        found = dask.compute(*arrc.dask.run(self.module.normalize2, xs))
        for one, other in zip(found, self.module.normalize2(self.xs)):
            numpy.testing.assert_array_equal(one, other)
        counts = arrc.dask.run(self.module.counts, 50, xs).compute()
        numpy.testing.assert_array_equal(counts, self.module.counts(50, self.xs))

    def test_columns_of_tables(self):
        frame = pandas.DataFrame({"a": self.xs, "b": self.xs * 2})
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "table.parquet")
            frame.to_parquet(path, row_group_size=100_000)
            for table in (dd.read_parquet(path, split_row_groups=True), dd.from_pandas(frame, npartitions=4)):
                counts = arrc.dask.run(self.module.counts, 50, table["a"]).compute()
                numpy.testing.assert_array_equal(counts, self.module.counts(50, self.xs))

    def test_a_file_and_a_worker_that_dies(self):
        with tempfile.TemporaryDirectory() as folder, dask.config.set({"array.chunk-size": "256 KiB"}):
            path = os.path.join(folder, "xs.npy")
            numpy.save(path, self.xs)
            sums = [result.sum() for result in arrc.dask.run(self.module.normalize2, path)]
            futures = self.client.compute(sums)
            victim = next(iter(self.client.run(os.getpid).values()))
            os.kill(victim, signal.SIGKILL)
            found = [future.result(timeout=120) for future in futures]
        self.assertEqual(found, [int(result.sum()) for result in self.module.normalize2(self.xs)])

    def test_a_worker_that_dies_in_a_recursive_program(self):
        """In each of the three passes that read the points, and when those are done."""
        hull = arrc.compile(str(PROJECT / "examples/quickhull.arr")).quickhull
        # Points in rings, so that the calls below stay larger than a chunk.
        angles = numpy.random.default_rng(4).random(400_000) * 2 * math.pi
        points = numpy.cos(angles), numpy.sin(angles)
        expected = hull(*points)
        chunks = 40
        for loads in (5, 2 * chunks + 5, 4 * chunks + 5, 6 * chunks):
            with self.subTest(loads=loads), tempfile.TemporaryDirectory() as folder:
                log = os.path.join(folder, "loads.txt")
                open(log, "w").close()
                blocks = (da.from_array(each, chunks=len(each) // chunks) for each in points)
                arrays = [block.map_blocks(logged, log, dtype=block.dtype) for block in blocks]
                victims = list(self.client.run(os.getpid).values())
                killer = threading.Thread(target=kill_after, args=(log, loads, victims[0]))
                killer.start()
                found = dask.compute(*arrc.dask.run(hull, *arrays))
                killer.join()
                # The results do not show whether a worker died.
                self.assertNotIn(victims[0], self.client.run(os.getpid).values())
                for one, other in zip(found, expected):
                    numpy.testing.assert_array_equal(one, other)


def logged(chunk, log):
    """A chunk; each load is a line of the log."""
    with open(log, "a") as lines:
        lines.write("load\n")
    return chunk


def kill_after(log, loads, victim):
    """Kills a worker after that many loads."""
    while os.path.getsize(log) < loads * len("load\n"):
        time.sleep(0.002)
    os.kill(victim, signal.SIGKILL)


PROJECT = pathlib.Path(__file__).resolve().parents[3]
#: How many bytes a program reads.
BYTES = int(os.environ.get("ARR_LARGE_BYTES", 4 << 30))
#: The elements of a chunk: 16 MiB.
CHUNK = 1 << 21
KEYS, STEPS = 1000, 3


def load(first, path, dtype, count, log):
    """A chunk of a file; each load is a line of the log."""
    with open(log, "a") as lines:
        lines.write(f"{os.path.basename(path)} {int(first[0])}\n")
    return numpy.memmap(path, dtype, "r", 8 * int(first[0]), min(CHUNK, count - int(first[0])))


def upper(points):
    """The upper half of a hull, by a scan over sorted points."""
    hull = []
    for x, y in points:
        while len(hull) > 1 and _area(*hull[-2], *hull[-1], x, y) >= 0:
            hull.pop()
        hull.append((x, y))
    return hull


def _area(ax, ay, bx, by, px, py):
    return (bx - ax) * (py - ay) - (by - ay) * (px - ax)


class Large(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.log = os.path.join(cls.folder.name, "loads.txt")
        random = numpy.random.default_rng(5)
        points, integers = BYTES // 16, BYTES // 8
        cls.files = {
            "x": ("f8", points, lambda size: random.random(size)),
            "y": ("f8", points, lambda size: random.random(size)),
            "k": ("i8", integers, lambda size: random.integers(-5, KEYS, size)),
        }
        for name, (_, count, made) in cls.files.items():
            with open(cls.path(name), "wb") as file:
                for first in range(0, count, CHUNK):
                    made(min(CHUNK, count - first)).tofile(file)
        cls.cluster = LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            memory_limit="1 GiB",
            local_directory=cls.folder.name,
            dashboard_address=None,
        )
        cls.client = Client(cls.cluster)
        cls.module = arrc.compile(str(PROJECT / "bench/python/chunks.arr"))
        cls.hull = arrc.compile(str(PROJECT / "examples/quickhull.arr"))

    @classmethod
    def tearDownClass(cls):
        cls.client.close()
        cls.cluster.close()
        cls.folder.cleanup()

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder.name, name)

    def setUp(self):
        open(self.log, "w").close()
        self.workers = self.client.run(os.getpid)

    def array(self, name):
        dtype, count, _ = self.files[name]
        firsts = da.from_array(numpy.arange(0, count, CHUNK), chunks=1)
        lengths = [min(CHUNK, count - first) for first in range(0, count, CHUNK)]
        arguments = (self.path(name), dtype, count, self.log)
        return da.map_blocks(load, firsts, *arguments, dtype=dtype, chunks=(tuple(lengths),), meta=numpy.empty(0, dtype))

    def chunks(self, *names):
        """The chunks of files one after the other, of several side by side."""
        maps = [numpy.memmap(self.path(name), self.files[name][0], "r") for name in names]
        for first in range(0, len(maps[0]), CHUNK):
            yield [each[first : first + CHUNK] for each in maps]

    @staticmethod
    def reads(entry):
        """How many passes read `xs`, as `explain` says."""
        return len(re.findall(r"^ +reads [^;]*\bxs\b", str(entry.explain()), re.MULTILINE))

    def loaded(self, passes, *names):
        """Each chunk of the files was loaded once a pass, and no worker died."""
        with open(self.log) as lines:
            found = collections.Counter(lines.read().splitlines())
        expected = {f"{name} {first}": passes for name in names for first in range(0, self.files[name][1], CHUNK)}
        self.assertEqual(found, expected)
        self.assertEqual(self.client.run(os.getpid), self.workers)

    def test_normalize2(self):
        shares = arrc.dask.run(self.module.normalize2, self.array("k"))
        found = dask.compute(*[(each * each).sum() for each in shares], *[each.max() for each in shares])
        self.assertEqual(self.reads(self.module.normalize2), 2)
        self.loaded(2, "k")
        sums = [0, 0]
        for (chunk,) in self.chunks("k"):
            sums = [sums[0] + int(chunk.sum()), sums[1] + int(chunk[chunk > 0].sum())]
        squares = [sum(int(((chunk // of) ** 2).sum()) for (chunk,) in self.chunks("k")) for of in sums]
        self.assertEqual(list(found), [*squares, 0, 0])

    def test_histogram(self):
        found = arrc.dask.run(self.module.histogram, KEYS, self.array("k")).compute()
        self.assertEqual(self.reads(self.module.histogram), 1)
        self.loaded(1, "k")
        expected = sum(numpy.bincount(chunk[chunk >= 0], minlength=KEYS) for (chunk,) in self.chunks("k"))
        numpy.testing.assert_array_equal(found, expected)

    def test_logistic_regression(self):
        found = dask.compute(*arrc.dask.run(self.module.logistic, STEPS, self.array("x"), self.array("y")))
        self.assertEqual(self.reads(self.module.logistic), 1)
        self.loaded(STEPS, "x", "y")
        w = b = 0.0
        count = self.files["x"][1]
        for _ in range(STEPS):
            sums = numpy.zeros(2)
            for x, y in self.chunks("x", "y"):
                errors = 1 / (1 + numpy.exp(-(w * x + b))) - (y > 0.5)
                sums += (errors @ x, errors.sum())
            w, b = w - sums[0] / count, b - sums[1] / count
        numpy.testing.assert_allclose(found, (w, b), rtol=1e-9)

    def test_quickhull(self):
        found = dask.compute(*arrc.dask.run(self.hull.quickhull, self.array("x"), self.array("y")))
        # The ends in one pass, and one pass for each side of the line between them.
        self.loaded(3, "x", "y")
        # No vertex of the hull lies within the octagon of the farthest points in eight directions.
        angles = [math.pi / 4 * turn for turn in range(8)]
        far = [max((float(d.max()), *self.at(x, y, d.argmax())) for x, y, d in self.along(angle)) for angle in angles]
        points = set()
        for x, y in self.chunks("x", "y"):
            outside = numpy.zeros(len(x), bool)
            for (_, *a), (_, *b) in zip(far, far[1:] + far[:1]):
                outside |= (_area(*a, *b, x, y) <= 0) & (a != b)
            points.update(zip(x[outside].tolist(), y[outside].tolist()))
        ordered = sorted(points)
        expected = {*upper(ordered), *upper(reversed(ordered))}
        self.assertEqual(len(found[0]), len(expected))
        self.assertEqual(set(zip(found[0].tolist(), found[1].tolist())), expected)

    def along(self, angle):
        for x, y in self.chunks("x", "y"):
            yield x, y, math.cos(angle) * x + math.sin(angle) * y

    @staticmethod
    def at(x, y, place):
        return float(x[place]), float(y[place])


if __name__ == "__main__":
    unittest.main()
