"""Calls on several threads: the same bits, and the option that says how many."""

import os
import pickle
import tempfile
import threading
import unittest
from concurrent.futures import ThreadPoolExecutor

import arrc
import numpy as np

SOURCE = """
entry total [n] (xs: [n]f64): f64 = reduce (+) 0 xs
entry roots [n] (xs: [n]f64): [n]f64 = map (\\x -> f64.sqrt (x * x + 1)) xs
entry at [n] [m] (xs: [n]f64) (is: [m]i64): [m]f64 = map (\\i -> xs[i]) is
"""


class Threads(unittest.TestCase):
    def setUp(self):
        self.xs = np.linspace(-3, 5, 4_000_000)
        self.one = arrc.compile(source=SOURCE, threads=1)

    def test_the_same_bits_on_any_number(self):
        total, roots = self.one.total(self.xs), self.one.roots(self.xs)
        self.assertEqual(self.one.stats()["parallel_passes"], 0)
        for threads in (2, 3, 7):
            m = arrc.compile(source=SOURCE, threads=threads)
            self.assertEqual(m.total(self.xs), total)
            self.assertEqual(m.stats()["threads"], threads)
            self.assertEqual(m.stats()["parallel_passes"], 1)
            self.assertTrue(np.array_equal(m.roots(self.xs), roots))

    def test_the_first_wrong_index_is_told(self):
        places = np.arange(4_000_000)
        places[1_000_001::500_000] = -7 - np.arange(6)
        messages = set()
        for threads in (1, 2, 5):
            m = arrc.compile(source=SOURCE, threads=threads)
            with self.assertRaises(arrc.RuntimeError) as caught:
                m.at(self.xs, places)
            messages.add(str(caught.exception))
        self.assertEqual(len(messages), 1)
        self.assertIn("-7", messages.pop())

    def test_a_pickled_module_keeps_its_number(self):
        again = pickle.loads(pickle.dumps(arrc.compile(source=SOURCE, threads=2)))
        again.total(self.xs)
        self.assertEqual(again.stats()["threads"], 2)

    def test_threads_of_python_call_one_function(self):
        """At once: each has its own arguments, results and errors; with and without Python's lock."""
        one = self.one
        arguments = [np.random.default_rng(seed).random(1_000 * seed) for seed in range(8)]
        expected = [(one.total(xs), one.roots(xs)) for xs in arguments]

        def work(number, barrier):
            xs, (total, roots) = arguments[number], expected[number]
            barrier.wait()
            for turn in range(100):
                self.assertEqual(one.total(xs), total)
                self.assertTrue(np.array_equal(one.roots(xs=memoryview(xs)), roots))
                with self.assertRaisesRegex(arrc.IndexError, f"index {-1 - number} "):
                    one.at(xs, np.array([-1 - number]))
                with self.assertRaisesRegex(arrc.ArgumentError, "`is`"):
                    one.at(xs, np.array([0.5]))
                self.assertGreaterEqual(one.stats()["threads"], 1)

        together(8, work)

    def test_threads_of_python_compile(self):
        """The same program and others, with an empty cache and a full one."""
        sources = [f"entry f{one} (x: i64): i64 = x * {one} + 1" for one in range(4)]
        with tempfile.TemporaryDirectory() as folder:
            before = os.environ.get("ARRC_CACHE")
            os.environ["ARRC_CACHE"] = folder
            try:
                for _ in range(2):
                    together(8, lambda number, barrier: self.compiles(sources, number, barrier))
            finally:
                os.environ.pop("ARRC_CACHE")
                if before is not None:
                    os.environ["ARRC_CACHE"] = before

    def compiles(self, sources, number, barrier):
        barrier.wait()
        one = number % len(sources)
        module = arrc.compile(source=sources[one], opt_level=1)
        self.assertEqual(module[f"f{one}"](7), 7 * one + 1)
        with self.assertRaises(arrc.CompileError) as caught:
            arrc.compile(source=f"entry f (x: i64): i64 = wrong{number}")
        self.assertIn(f"`wrong{number}`", str(caught.exception))
        self.assertEqual(pickle.loads(pickle.dumps(module))[f"f{one}"](1), one + 1)


def together(count, work):
    """Calls `work` with a number and a barrier, on so many threads at once; fails as they do."""
    barrier = threading.Barrier(count)
    with ThreadPoolExecutor(count) as pool:
        for done in [pool.submit(work, number, barrier) for number in range(count)]:
            done.result()


if __name__ == "__main__":
    unittest.main()
