"""Calls with arrays and scalars: what they give, and that nothing is copied or lost."""

import gc
import os
import resource
import signal
import sys
import threading
import time
import unittest

import arrc
import numpy as np
import programs


def address(array):
    return array.__array_interface__["data"][0]


class Calls(unittest.TestCase):
    def setUp(self):
        self.m = programs.module()

    def test_results_are_those_of_numpy(self):
        x, y = np.linspace(-1, 1, 101), np.arange(101.0)
        self.assertAlmostEqual(self.m.dot(x, y), float(x @ y))
        np.testing.assert_array_equal(self.m.above(x, 0.25), x[x > 0.25])
        np.testing.assert_array_equal(self.m.add3(x, y, x), x + y + x)
        a = np.arange(6, dtype=np.float32).reshape(2, 3)
        np.testing.assert_array_equal(self.m.turn(a), a.T)
        self.assertEqual(self.m.turn(a).dtype, np.float32)

    def test_names_of_arguments(self):
        x = np.arange(3.0)
        self.assertEqual(self.m.divide(b=3, a=7), 2)
        self.assertEqual(self.m.divide(7, b=3), 2)
        np.testing.assert_array_equal(self.m.above(bound=0.5, xs=x), [1, 2])

    def test_arrays_of_any_strides(self):
        a = np.arange(24.0).reshape(4, 6)
        for view in [a, a[::-1, ::3], a.T, np.asfortranarray(a), a[1:1], a[:, :0], a[2:3, ::-1]]:
            np.testing.assert_array_equal(self.m.rows(view), view.sum(axis=1))
        x = np.arange(10.0)
        np.testing.assert_array_equal(self.m.twofold(x[::-2]), 2 * x[::-2])
        np.testing.assert_array_equal(self.m.twofold(np.broadcast_to(np.float64(3), 4)), [6] * 4)

    def test_every_scalar_type(self):
        m = programs.scalars()
        for name in programs.SCALARS:
            dtype = np.dtype(f"{name[0]}{int(name[1:]) // 8}")
            info = np.iinfo(dtype) if dtype.kind in "iu" else np.finfo(dtype)
            values = np.array([info.min, info.max, 0, 1], dtype)
            found = m[f"a_{name}"](values)
            np.testing.assert_array_equal(found, values)
            self.assertEqual(found.dtype, dtype)
            for value in values:
                self.assertEqual(m[f"s_{name}"](value.item()), value)
                self.assertEqual(m[f"s_{name}"](value), value)
        self.assertIs(m.s_bool(True), True)
        np.testing.assert_array_equal(m.a_bool(np.array([True, False])), [True, False])

    def test_empty_arrays(self):
        none = np.empty(0)
        self.assertEqual(self.m.dot(none, none), 0.0)
        self.assertEqual(self.m.above(none, 0.0).shape, (0,))
        self.assertEqual(self.m.turn(np.empty((0, 3), np.float32)).shape, (3, 0))
        self.assertEqual(self.m.none().shape, (0,))

    def test_results_own_their_memory_and_nothing_else_has_it(self):
        x = np.arange(4.0)
        y = self.m.same(x)
        self.assertNotEqual(address(x), address(y))
        self.assertTrue(y.flags.writeable and y.flags.c_contiguous and y.base is not None)
        one, other = self.m.twice(np.arange(3))
        one[0] = 99
        np.testing.assert_array_equal(other, [1, 2, 3])

    def test_results_in_arrays_of_the_caller(self):
        x = np.arange(1000.0)
        out = np.full(1000, np.nan)
        self.assertIs(self.m.twofold(x, out=out), out)
        np.testing.assert_array_equal(out, 2 * x)
        if hasattr(self.m.twofold, "stats"):
            self.assertEqual(self.m.twofold.stats()["allocations"], 0)
        np.testing.assert_array_equal(self.m.twofold(xs=x, out=None), 2 * x)
        # Of what a filter keeps there are the first elements.
        kept = self.m.above(x, 990, out=out)
        np.testing.assert_array_equal(kept, x[991:])
        self.assertIs(kept.base, out)
        a = np.arange(6, dtype=np.float32).reshape(2, 3)
        turned = np.empty((3, 2), np.float32)
        self.assertIs(self.m.turn(a, out=turned), turned)
        np.testing.assert_array_equal(turned, a.T)
        # The result may be where an argument is.
        self.m.twofold(x, out=x)
        np.testing.assert_array_equal(x, 2 * np.arange(1000.0))
        pair = np.empty(2, np.int64), np.empty(2, np.int64)
        one, other = self.m.twice(np.array([1, 2]), out=pair)
        self.assertTrue(one is pair[0] and other is pair[1])
        self.assertEqual([*one, *other], [2, 3, 2, 3])

    def test_arrays_of_the_caller_that_do_not_fit(self):
        x = np.arange(3.0)
        read_only = np.empty(3)
        read_only.flags.writeable = False
        for out, words in [
            (np.empty(3, np.float32), "an array of float32 with 1 dimension was given"),
            (np.empty((3, 1)), "an array of float64 with 2 dimensions was given"),
            (np.empty(6)[::2], "the array is not contiguous"),
            (read_only, "the array is read-only"),
            ([0.0, 0.0, 0.0], "3 arrays were given"),
            (1.0, "was given"),
        ]:
            with self.assertRaisesRegex(arrc.ArgumentError, words):
                self.m.twofold(x, out=out)
        with self.assertRaisesRegex(arrc.ShapeError, "xs has size 3 but out has size 4"):
            self.m.twofold(x, out=np.empty(4))
        with self.assertRaisesRegex(arrc.ShapeError, "has room for 1 only"):
            self.m.above(x, 0, out=np.empty(1))
        with self.assertRaisesRegex(arrc.RuntimeError, "is that of another result"):
            same = np.empty(2, np.int64)
            self.m.twice(np.array([1, 2]), out=(same, same))
        with self.assertRaisesRegex(arrc.ArgumentError, "and `out` is none of them"):
            self.m.dot(x, x, out=x)

    def test_results_outlive_their_program(self):
        def made():
            m = arrc.compile(source="entry f (n: i64): [n]i64 = iota n", cache=False)
            return m.f(1000)

        found = made()
        gc.collect()
        np.testing.assert_array_equal(found, np.arange(1000))

    def test_functions_outlive_their_program(self):
        f = arrc.compile(source="entry f (n: i64): i64 = n + 1", cache=False).f
        gc.collect()
        self.assertEqual(f(1), 2)

    def test_records(self):
        x, y = np.array([1.0, 3.0]), np.array([2.0, 4.0])
        structured = np.array([(1, 2), (3, 4)], dtype=[("x", "f8"), ("y", "f8")])
        reordered = np.array([(2, 1), (4, 3)], dtype=[("y", "f8"), ("x", "f8")])

        class Fields:
            pass

        fields = Fields()
        fields.x, fields.y = x, y
        for ps in [structured, reordered, {"x": x, "y": y}, fields]:
            found = self.m.farthest(ps)
            self.assertEqual((found.x, found.y), (3.0, 4.0))
        # A result can be an argument again.
        self.assertEqual(self.m.farthest({"x": [found.x], "y": [found.y]}), found)

    def test_fields_that_are_made_when_they_are_asked_for_stay_alive(self):
        class Made:
            @property
            def x(self):
                return np.full(100_000, 3.0)

            @property
            def y(self):
                return np.full(100_000, 4.0)

        for _ in range(20):
            self.assertEqual(self.m.farthest(Made()), (3.0, 4.0))

    def test_tuples(self):
        a, b = np.array([1.0, 2.0]), np.array([3, 4])
        for given in [(a, b), [a, b], np.array([(1, 3), (2, 4)], dtype=[("f", "f8"), ("g", "i8")])]:
            bs, again = self.m.swapped(given)
            np.testing.assert_array_equal(bs, b)
            np.testing.assert_array_equal(again, a)
        np.testing.assert_array_equal(self.m.points(np.array([[1.0, 2.0], [3.0, 4.0]])), [2, 12])

    def test_nested_values_and_words_of_python(self):
        count, found = self.m.nested({"at": (7, True), "lambda": 0.5})
        self.assertEqual((count, found.yes, found.lambda_), (7, True, 0.5))
        self.assertEqual(self.m.nested({"at": (7, True), "lambda_": 0.5}), (count, found))

    def test_names_that_are_words_of_c_or_python(self):
        m = arrc.compile(source="entry double (int: i64): i64 = 2 * int\nentry main' (lambda: i64): i64 = lambda")
        self.assertEqual((m.double(int=4), m["main'"](lambda_=3)), (8, 3))

    def test_sums(self):
        self.assertEqual(self.m.root(4.0), ("some", 2.0))
        self.assertEqual(self.m.root(-4.0), ("none",))
        self.assertEqual([self.m.value(x) for x in ["none", ("none",), ("some", 5.0)]], [-1, -1, 5])
        self.assertEqual(self.m.packed(False), ("no", (4, True)))
        self.assertEqual([self.m.unpacked(self.m.packed(full)) for full in [True, False]], [6, 4])
        found = self.m.roots(np.array([4.0, -1.0]))
        np.testing.assert_array_equal(found.tag, [1, 0])
        np.testing.assert_array_equal(found.some, [2, 0])
        self.assertEqual([self.m.values(found), self.m.values({"tag": [1, 1], "some": [3.0, 4.0]})], [2, 7])

    def test_strides_that_are_no_multiple_of_the_element(self):
        packed = np.zeros(3, dtype=np.dtype([("b", "i1"), ("x", "f8"), ("y", "f8")]))
        packed["x"] = packed["y"] = [1, 2, 3]
        self.assertEqual(self.m.farthest(packed), (3.0, 3.0))
        self.assertEqual(self.m.dot(packed["x"], packed["y"]), 14.0)

    def test_memory_that_is_not_aligned(self):
        memory = bytearray(8 * 3 + 1)
        np.frombuffer(memory, np.uint8)[1:] = np.arange(3.0).view(np.uint8)
        self.assertEqual(self.m.dot(np.frombuffer(memory, np.float64, 3, 1), np.ones(3)), 3.0)

    def test_the_other_order_of_bytes(self):
        self.assertEqual(self.m.dot(np.arange(3, dtype=">f8"), np.ones(3)), 3.0)

    def test_other_holders_of_arrays(self):
        x = np.arange(3.0)

        class Converts:
            def __array__(self, dtype=None, copy=None):
                return x

        class Lends:
            def __dlpack__(self, **options):
                return x.__dlpack__(**options)

            def __dlpack_device__(self):
                return x.__dlpack_device__()

        class OnAnotherDevice(Lends):
            def __dlpack_device__(self):
                return (2, 0)

        for held in [Converts(), Lends(), memoryview(x), x.view(np.recarray), np.ma.array(x), list(x)]:
            self.assertEqual(self.m.dot(held, x), 5.0)
        with self.assertRaisesRegex(arrc.ArgumentError, "not in the memory of the processor: bring it there first"):
            self.m.dot(OnAnotherDevice(), x)

    def test_read_only_arrays(self):
        x = np.arange(3.0)
        x.flags.writeable = False
        self.assertEqual(self.m.dot(x, x), 5.0)

    def test_the_lock_of_python_is_free_during_a_call(self):
        done = threading.Event()
        thread = threading.Thread(target=lambda: (self.m.fib(37), done.set()))
        steps = 0
        thread.start()
        while not done.is_set():
            time.sleep(0.0002)
            steps += 1
        thread.join()
        self.assertGreater(steps, 3)

    def test_threads(self):
        wrong = []

        def calls(number):
            x = np.full(1000, float(number))
            for _ in range(200):
                if self.m.dot(x, x) != 1000.0 * number * number or self.m.twofold(x)[0] != 2.0 * number:
                    wrong.append(number)

        threads = [threading.Thread(target=calls, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_nothing_leaks(self):
        x = np.arange(10.0)
        large = np.zeros(1 << 20)

        def many():
            for _ in range(20_000):
                self.m.add3(x, x, x)
                self.m.twice(np.arange(2))
            for _ in range(50):
                self.m.twofold(large)
                with self.assertRaises(arrc.IndexError):
                    self.m.element(np.arange(3), 5)

        many()
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        many()
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        self.assertLess(grown, 2048, "kilobytes more after the same calls")
        self.assertLess(sys.getrefcount(x), 10)

    def test_inputs_are_not_copied(self):
        x = np.zeros(1 << 22)
        self.m.dot(x, x)
        self.assertLess(self.m.stats()["bytes_peak"], 1 << 20)
        self.m.twofold(x)
        self.assertLess(self.m.stats()["bytes_peak"], x.nbytes + (1 << 20))

    def test_ctrl_c_ends_a_call(self):
        count = self.m.count
        before = signal.getsignal(signal.SIGINT)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        for _ in range(2):
            timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
            timer.start()
            start = time.monotonic()
            with self.assertRaises(KeyboardInterrupt):
                count(1 << 50)
            timer.join()
            self.assertLess(time.monotonic() - start, 20)
            self.assertEqual(count(3), 3)
        self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)
        seen = []
        signal.signal(signal.SIGINT, lambda *_: seen.append(True))
        timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(arrc.CancelledError):
            count(1 << 50)
        timer.join()
        self.assertEqual(seen, [True])


if __name__ == "__main__":
    unittest.main()
