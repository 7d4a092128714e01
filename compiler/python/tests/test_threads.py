"""Calls on several threads: the same bits, and the option that says how many."""

import pickle
import unittest

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


if __name__ == "__main__":
    unittest.main()
