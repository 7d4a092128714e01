"""Columns of pyarrow, polars and pandas, with those packages: what is taken without a copy, and what is missing."""

import unittest

import arrc
import numpy as np
import pandas as pd
import polars as pl
import programs
import pyarrow as pa

MISSING = (
    "the argument `xs` of twofold() is []f64, but 1 of its 3 elements are missing: fill them, as by `.fill_null(0)`, "
    "or drop them, as by `.drop_nulls()`"
)


class Columns(unittest.TestCase):
    def setUp(self):
        self.m = programs.module()
        self.s = programs.scalars()

    def gives(self, column, expected=(2.0, 4.0, 6.0)):
        np.testing.assert_array_equal(self.m.twofold(column), expected)

    def refused(self, column, text=MISSING):
        with self.assertRaises(arrc.ArgumentError) as caught:
            self.m.twofold(column)
        self.assertEqual(str(caught.exception), text)

    def test_columns_without_nulls(self):
        self.gives(pa.array([1.0, 2.0, 3.0]))
        self.gives(pa.array([9.0, 1.0, 2.0, 3.0, 9.0])[1:4])
        self.gives(pa.chunked_array([[1.0], [2.0, 3.0]]))
        self.gives(pa.chunked_array([[1.0, 2.0, 3.0]]))
        self.gives(pa.array([], pa.float64()), [])
        self.gives(pl.Series([1.0, 2.0, 3.0]))
        self.gives(pl.Series([9.0, 1.0, 2.0, 3.0])[1:])
        self.gives(pl.DataFrame({"a": [1.0, 2.0, 3.0]})["a"])
        self.gives(pd.Series([1.0, 2.0, 3.0]))
        self.gives(pd.DataFrame({"a": [1.0, 2.0, 3.0]})["a"])
        self.gives(pd.Series([1.0, 2.0, 3.0], dtype="Float64"))
        self.gives(pd.Series([1.0, 2.0, 3.0], dtype=pd.ArrowDtype(pa.float64())))

    def test_columns_with_nulls(self):
        self.refused(pa.array([1.0, None, 3.0]))
        self.refused(pa.array([9.0, 1.0, None, 3.0])[1:])
        self.refused(pl.Series([1.0, None, 3.0]))
        self.refused(pd.Series([1.0, None, 3.0], dtype="Float64"))
        self.refused(pd.Series([1.0, None, 3.0], dtype=pd.ArrowDtype(pa.float64())))
        # Nulls outside of a slice do not count.
        self.gives(pa.array([None, 1.0, 2.0, 3.0])[1:])
        self.gives(pa.array([1.0, None, 3.0]).fill_null(2.0))

    def test_what_is_nan_stays_so(self):
        self.assertTrue(np.isnan(self.m.twofold(pd.Series([1.0, np.nan]))[1]))
        self.assertTrue(np.isnan(self.m.twofold(pl.Series([1.0, float("nan")]))[1]))
        self.assertTrue(np.isnan(self.m.twofold(pa.array([1.0, float("nan")]))[1]))

    def test_types(self):
        prefix = "the argument `xs` of twofold() is []f64, but "
        self.refused(
            pa.array([1, 2]),
            f"{prefix}an array of int64 was given: convert it by `.astype(numpy.float64)`, which copies it",
        )
        self.refused(
            pa.array(["a"]), f"{prefix}its elements are of Arrow's type `u`, which are no numbers: convert them first"
        )
        self.refused(
            pa.array([1.0, 1.0]).dictionary_encode(),
            f"{prefix}it has a dictionary: give its codes, as by `.indices`",
        )
        for name, kind in [("i8", pa.int8()), ("u16", pa.uint16()), ("i32", pa.int32()), ("f32", pa.float32())]:
            np.testing.assert_array_equal(self.s[f"a_{name}"](pa.array([1, 2, 3], kind)), [1, 2, 3])
        bits = [True, False, True] * 7
        np.testing.assert_array_equal(self.s.a_bool(pa.array(bits)), bits)
        np.testing.assert_array_equal(self.s.a_bool(pa.array(bits)[10:]), bits[10:])

    def test_tables_are_records(self):
        x, y = [1.0, 3.0], [2.0, 4.0]
        for table in [pd.DataFrame({"x": x, "y": y}), pl.DataFrame({"x": x, "y": y}), pa.table({"x": x, "y": y})]:
            self.assertEqual(self.m.farthest(table), (3.0, 4.0))

    def test_tables_of_one_type_are_rows_and_columns(self):
        frame = pd.DataFrame({"a": [1.0, 2.0], "b": [10.0, 20.0]})
        np.testing.assert_array_equal(self.m.rows(frame), [11.0, 22.0])
        mixed = pd.DataFrame({"a": [1.0, 2.0], "b": [10, 20]})
        missing = pd.DataFrame({"a": pd.array([1.0, None], dtype="Float64")})
        for table in [mixed, missing, pl.DataFrame({"a": [1.0, None]}), pa.table({"a": [1.0, 2.0]})]:
            with self.assertRaisesRegex(arrc.ArgumentError, "`a` of rows.* it is a table: give its columns to a record"):
                self.m.rows(table)

    def test_columns_are_not_copied(self):
        from arrc import _arguments

        for column in [pa.array(np.arange(10.0)), pl.Series(np.arange(10.0)), pd.Series(np.arange(10.0))]:
            one, other = (_arguments.array(column, "f64", 1, "f", "xs") for _ in range(2))
            self.assertTrue(np.shares_memory(one, other), type(column))

    def test_columns_stay_alive(self):
        for _ in range(100):
            self.assertEqual(self.m.twofold(pa.array(np.ones(10_000)))[-1], 2.0)
            self.assertEqual(self.m.twofold(pl.Series(np.ones(10_000)))[-1], 2.0)


if __name__ == "__main__":
    unittest.main()
