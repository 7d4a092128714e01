"""The oracle itself: its arithmetic, its sizes, its errors, and the reduction of programs."""

import random
import unittest

import numpy as np

import families
from evaluate import Evaluator
from scalars import binary, cast
from smaller import smaller_programs
from syntax import parse
from text import program_text
from values import Array, Skip, components, poisoned


def value(text, *arguments):
    """The components of the entry `f`, or the error."""
    found = Evaluator(parse(text)).call("f", list(arguments))
    return poisoned(found) or [(shape, [x if isinstance(x, bool) else float(x) for x in items]) for shape, items in components(found)]


def integers(*items):
    return Array([np.int64(item) for item in items], np.int64(0))


class Scalars(unittest.TestCase):
    def test_integers_wrap_and_round_down(self):
        self.assertEqual(binary("+", np.int8(127), 1), -128)
        self.assertEqual([binary(sign, np.int64(-7), 2) for sign in ("/", "%", "//", "%%")], [-4, 1, -3, -1])
        self.assertEqual(binary("/", np.int8(-128), -1), -128)
        self.assertEqual([binary(sign, np.int8(-128), 9) for sign in (">>", ">>>")], [-64, 64])

    def test_conversions(self):
        self.assertEqual([cast("i32", x) for x in (1e20, -1e20, float("nan"), -1.9)], [2**31 - 1, -(2**31), 0, -1])
        self.assertEqual([cast("u32", np.int16(-1)), cast("i32", np.int16(-1)), cast("u8", np.int64(-1))], [65535, -1, 255])


class Sizes(unittest.TestCase):
    def test_a_size_that_is_an_argument_is_compared(self):
        before, after = "entry f (n: i64) (xs: [n]i64) = n", "entry f (xs: []i64) (n: i64): [n]i64 = xs"
        self.assertEqual(value(before, np.int64(2), integers(1, 2)), [((), [2.0])])
        for text, arguments in ((before, [np.int64(3), integers(1, 2)]), (after, [integers(1, 2), np.int64(3)])):
            self.assertEqual(value(text, *arguments), "sizes that must be equal are not")

    def test_a_size_that_is_computed(self):
        text = "entry f [k] (xs: [2 * k]i64): [k]i64 = xs[:k]"
        self.assertEqual(value(text, integers(1, 2, 3, 4)), [((2,), [1.0, 2.0])])
        self.assertIsInstance(value(text, integers(1, 2, 3)), str)

    def test_rows_of_no_elements_have_a_size(self):
        self.assertEqual(value("entry f [n] (xs: [n]i64) = map (\\_ -> iota 3) xs", integers()), [((0, 3), [])])
        self.assertEqual(value("entry f [n] (xs: [n]i64) = transpose (map (\\_ -> iota 3) xs)", integers()), [((3, 0), [])])

    def test_loops_change_every_dimension(self):
        text = "entry f (k: i64) = loop x = [[1, 2, 3, 4], [5, 6, 7, 8]] for _i < k do x[:, 1:]"
        self.assertEqual(value(text, np.int64(2)), [((2, 2), [3.0, 4.0, 7.0, 8.0])])


class Errors(unittest.TestCase):
    def test_what_is_not_used_may_fail(self):
        self.assertEqual(value("entry f (x: i64) = let y = 1 / x in x", np.int64(0)), [((), [0.0])])
        self.assertEqual(value("entry f (x: i64) = length (map (1 /) [x])", np.int64(0)), [((), [1.0])])
        text = "entry f (x: i64) = length (replicate 0 [x])[:, x:]"
        self.assertRaises(Skip, value, text, np.int64(3))
        self.assertEqual(value("entry f (x: i64) = map (1 /) [x, 1]", np.int64(0)), "division by zero")


class Texts(unittest.TestCase):
    def test_random_programs_read_back(self):
        for number in range(60):
            text, _ = families.program(random.Random(number), "p", number)
            tree = parse(text)
            self.assertEqual(parse(program_text(tree)), tree)

    def test_reduction_leaves_out_parts(self):
        tree = parse("entry f (x: i64) (y: i64) = let z = x + 1 in z * y")
        texts = {program_text(smaller) for smaller, _ in smaller_programs(tree, None)}
        self.assertIn("entry f (x: i64) (y: i64) =\n  (z * y)\n", texts)
        self.assertIn("entry f (x: i64) (y: i64) =\n  ((x + 1) * y)\n", texts)
        self.assertIn("entry f (y: i64) =\n  let z = (x + 1)\n  in (z * y)\n", texts)

    def test_reduction_keeps_paths(self):
        tree = parse("entry f (a: []i64) (k: i64) = (a with [k + 1] = 2) with [0] = 3")
        texts = {program_text(smaller) for smaller, _ in smaller_programs(tree, None)}
        self.assertIn("entry f (a: []i64) (k: i64) =\n  ((a with [k] = 2) with [0] = 3)\n", texts)


if __name__ == "__main__":
    unittest.main()
