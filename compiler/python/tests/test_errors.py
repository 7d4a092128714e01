"""Mistakes of users, and the messages about them."""

import builtins
import html
import json
import pickle
import re
import unittest
import warnings

import arrc
import numpy as np
import programs

I8 = "the argument `x` of s_i8() is i8, but "
DOT = "the argument `ys` of dot() is []f64, but "


class Arguments(unittest.TestCase):
    def setUp(self):
        self.m, self.s, self.x = programs.module(), programs.scalars(), np.arange(3.0)

    def refused(self, text, call, *args, code="A0508", **kwargs):
        with self.assertRaises(arrc.ArgumentError) as caught:
            call(*args, **kwargs)
        self.assertEqual((str(caught.exception), caught.exception.code), (text, code))
        self.assertIsInstance(caught.exception, TypeError)

    def test_types_of_elements(self):
        convert = "was given: convert it by `.astype(numpy.float64)`, which copies it"
        self.refused(f"{DOT}an array of int64 {convert}", self.m.dot, self.x, np.arange(3))
        self.refused(f"{DOT}an array of float32 {convert}", self.m.dot, self.x, self.x.astype("f4"))
        self.refused(
            f"{DOT}an array of complex128 was given: numbers of Arr are real: "
            "pass the parts, `.real` and `.imag`, as two arrays",
            self.m.dot,
            self.x,
            self.x + 0j,
        )
        self.refused(
            f"{DOT}an array of complex64 was given: numbers of Arr are real: "
            "pass the parts, `.real` and `.imag`, as two arrays",
            self.m.dot,
            self.x,
            self.x.astype("c8"),
        )
        with self.assertRaisesRegex(arrc.ArgumentError, "as two arrays"):
            self.m.dot(self.x, [1j, 2, 3])
        for other in [np.array(["a"] * 3), self.x.astype(object), np.array(["2020"] * 3, "M8[D]")]:
            with self.assertRaisesRegex(arrc.ArgumentError, "its elements are no numbers of one type"):
                self.m.dot(self.x, other)

    def test_dimensions(self):
        self.refused(
            f"{DOT}an array of 2 dimensions was given, of shape (3, 1)", self.m.dot, self.x, self.x.reshape(3, 1)
        )
        self.refused(f"{DOT}an array of 0 dimensions was given, of shape ()", self.m.dot, self.x, np.array(1.0))
        self.refused(f"{DOT}a float was given: make an array of it, as by `numpy.asarray`", self.m.dot, self.x, 1.0)

    def test_lists(self):
        self.assertEqual(self.m.dot([1, 2.5], [2, 2]), 7.0)
        self.assertEqual(self.m.dot([], ()), 0.0)
        self.assertEqual(self.s.a_i8([1, -128]).dtype, np.int8)
        self.refused(
            "the argument `xs` of a_i8() is []i8, but 200 in it does not fit", self.s.a_i8, [1, 200]
        )
        self.refused(
            "the argument `xs` of a_i64() is []i64, but an array of float64 was given: "
            "`.astype(numpy.int64)` converts it, if numbers that do not fit may change",
            self.s.a_i64,
            [1, 2.5],
        )
        with self.assertRaisesRegex(arrc.ArgumentError, "its rows are no array"):
            self.m.rows([[1.0], [1.0, 2.0]])
        self.refused(
            "the argument `xs` of a_f64() is []f64, but 9007199254740993 in it does not fit",
            self.s.a_f64,
            [0, 2**53 + 1],
        )

    def test_masked_arrays(self):
        self.assertEqual(self.m.dot(np.ma.array(self.x), self.x), 5.0)
        self.refused(
            f"{DOT}it has masked elements, which have no value: fill them, as by `.filled(0)`",
            self.m.dot,
            self.x,
            np.ma.array(self.x, mask=[0, 1, 0]),
        )

    def test_scalars(self):
        self.refused(f"{I8}300 does not fit: it is not between -128 and 127", self.s.s_i8, 300)
        self.refused(f"{I8}300 does not fit: it is not between -128 and 127", self.s.s_i8, np.int64(300))
        self.refused(f"{I8}1.0 is no integer: write `int(…)` if its fraction does not count", self.s.s_i8, 1.0)
        self.refused(f"{I8}True is a truth value: write `int(True)` for the number", self.s.s_i8, True)
        self.refused(f"{I8}'1' is no integer: write `int(…)` if its fraction does not count", self.s.s_i8, "1")
        self.refused(f"{I8}an array of shape (3,) was given: take one element of it", self.s.s_i8, self.x)
        self.refused(
            "the argument `x` of s_bool() is bool, but 1 is no truth value: write `bool(…)`", self.s.s_bool, 1
        )
        self.refused("the argument `x` of s_f32() is f32, but 1e+300 is too large", self.s.s_f32, 1e300)
        self.refused(
            "the argument `x` of s_f64() is f64, but 9007199254740993 is not a float: "
            "write `float(9007199254740993)`, which rounds it to 9007199254740992",
            self.s.s_f64,
            2**53 + 1,
        )
        self.refused("the argument `x` of s_f64() is f64, but None is no float: write `float(…)`", self.s.s_f64, None)
        for place, value in [("i8", 1j), ("f64", 1j), ("bool", np.complex128(1j))]:
            self.refused(
                f"the argument `x` of s_{place}() is {place}, but 1j was given: numbers of Arr are real: "
                "pass the parts, `.real` and `.imag`, as two numbers",
                self.s["s_" + place],
                value,
            )
        self.assertEqual(self.s.s_u64(2**64 - 1), 2**64 - 1)
        self.assertEqual(self.s.s_f64(7), 7.0)
        self.assertEqual(self.s.s_f32(float("inf")), float("inf"))

    def test_counts_and_names(self):
        dot = "dot() takes 2 arguments (xs, ys), "
        ty = "; its type is dot [n] (xs: [n]f64) (ys: [n]f64): f64"
        x = self.x
        self.refused(f"{dot}and `ys` is missing{ty}", self.m.dot, x, code="A0507")
        self.refused(f"{dot}but 3 were given{ty}", self.m.dot, x, x, x, code="A0507")
        self.refused(f"{dot}and `zs` is none of them{ty}", self.m.dot, x, x, zs=x, code="A0507")
        self.refused(f"{dot}and `zs` is none of them{ty}", self.m.dot, x, zs=x, code="A0507")
        self.refused(f"{dot}and `xs` was given twice{ty}", self.m.dot, x, x, xs=x, code="A0507")

    def test_records_tuples_and_sums(self):
        x = self.x
        record = "the argument `ps` of farthest() is a record of `x`, `y`, but "
        self.refused(f"{record}a dict has no `y`", self.m.farthest, {"x": x})
        self.refused(f"{record}it also has `z`: leave that out", self.m.farthest, {"x": x, "y": x, "z": x})
        self.refused(f"{record}an array of float64 was given, which has no fields", self.m.farthest, x)
        self.refused(
            f'{record}an array of complex128 was given: pass its parts as a record, as by `{{"x": z.real, …}}`',
            self.m.farthest,
            x + 1j,
        )
        self.refused(
            "the argument `ps.y` of farthest() is []f64, but an array of int64 was given: "
            "convert it by `.astype(numpy.float64)`, which copies it",
            self.m.farthest,
            {"x": x, "y": np.arange(3)},
        )
        items = "the argument `ps` of swapped() is a tuple of 2, but "
        self.refused(f"{items}a tuple of 1 was given", self.m.swapped, (x,))
        self.refused(f"{items}7 was given: give a tuple", self.m.swapped, 7)
        one = "the argument `x` of value() is one of `none`, `some`, but "
        self.refused(
            f'{one}\'sum\' was given: give a tuple such as ("none", …), with the payloads behind it',
            self.m.value,
            "sum",
        )
        self.refused(f"{one}`some` has 1 payload, and 0 were given", self.m.value, "some")


class RunTime(unittest.TestCase):
    def setUp(self):
        self.m = programs.module()

    def failed(self, kind, also, call, *args):
        with self.assertRaises(kind) as caught:
            call(*args)
        self.assertIsInstance(caught.exception, also)
        self.assertIsInstance(caught.exception, arrc.RuntimeError)
        self.assertIsInstance(caught.exception, builtins.RuntimeError)
        self.assertTrue(arrc.explain(caught.exception.code).startswith(f"# {caught.exception.code} "))
        return caught.exception

    def test_an_index(self):
        line = 1 + programs.SOURCE.split("\n").index(
            "entry element [n] (xs: [n]i64) (i: i64): i64 = xs[i]"
        )
        error = self.failed(arrc.IndexError, IndexError, self.m.element, np.arange(3), 7)
        self.assertEqual(str(error), f"programs.arr:{line}:48: index 7 is out of bounds for an array of length 3")
        self.assertEqual((error.file, error.line, error.column), ("programs.arr", line, 48))
        self.assertEqual((error.kind, error.code, error.values), ("index", "A0601", [7, 3]))
        again = pickle.loads(pickle.dumps(error))
        self.assertEqual((type(again), again.values, str(again)), (arrc.IndexError, [7, 3], str(error)))

    def test_each_kind(self):
        self.failed(arrc.DivisionError, ZeroDivisionError, self.m.divide, 1, 0)
        self.failed(arrc.ShapeError, ValueError, self.m.dot, np.zeros(2), np.zeros(3))
        self.failed(arrc.SizeError, ValueError, self.m.ones, -1)
        self.failed(arrc.AssertionError, AssertionError, self.m.checked, 2)
        self.failed(arrc.StackError, RecursionError, self.m.down, 10**9)
        error = self.failed(arrc.MemoryError, MemoryError, self.m.ones, 2**55)
        self.assertIn("out of memory", str(error))

    def test_a_call_that_failed_leaves_all_as_it_was(self):
        for _ in range(3):
            with self.assertRaises(arrc.DivisionError):
                self.m.divide(1, 0)
            self.assertEqual(self.m.divide(6, 3), 2)

    def test_a_limit_of_memory(self):
        m = arrc.compile(source="entry ones (n: i64): [n]f64 = replicate n 1", memory_limit=1 << 16)
        self.assertEqual(m.ones(10).sum(), 10)
        with self.assertRaisesRegex(arrc.MemoryError, "of the limit of 65536 bytes"):
            m.ones(1 << 20)

    def test_results_of_earlier_calls_are_not_counted_in_the_limit(self):
        m = arrc.compile(source="entry ones (n: i64): [n]f64 = replicate n 1", memory_limit=1 << 16)
        kept = [m.ones(5000) for _ in range(20)]
        self.assertEqual([each.sum() for each in kept], [5000] * 20)
        self.assertEqual(m.stats()["bytes_live"] // 40000, 1)
        with self.assertRaisesRegex(arrc.MemoryError, "of the limit of 65536 bytes"):
            m.ones(9000)
        del kept
        self.assertEqual(m.ones(5000).sum(), 5000)

    def test_values_in_reasons(self):
        make = lambda reason: arrc.RuntimeError("assertion", "A0613", f"a.arr:1:2: {reason}")
        cases = {
            "x1 is -3 and y is 2.5": [-3, 2.5],
            "assertion failed: n, where x is 1e+300 and y is -inf": [1e300, float("-inf")],
            "xs has size 3 but ys has size 2; they must be equal": [3, 2],
        }
        for reason, values in cases.items():
            self.assertEqual(make(reason).values, values)
        self.assertEqual(arrc.RuntimeError("busy", "", "no place").file, None)


class Compiling(unittest.TestCase):
    def wrong(self, *args, **kwargs):
        with self.assertRaises(arrc.CompileError) as caught:
            arrc.compile(*args, **kwargs)
        return caught.exception

    def test_a_wrong_program(self):
        error = self.wrong(source="entry f (x: i64): i64 = y", name="wrong.arr")
        self.assertEqual(error.code, "A0201")
        self.assertTrue(error.rendered.startswith("error[A0201]: `y` is not defined\n"))
        self.assertIn("wrong.arr:1:25", error.rendered)
        self.assertIn("\x1b[", error.colored)
        self.assertNotIn("\x1b[", error.rendered)
        self.assertEqual([found["code"] for found in error.diagnostics], ["A0201"])
        self.assertEqual([json.loads(line)["code"] for line in error.json.splitlines()], ["A0201"])
        page = error._repr_html_()
        self.assertRegex(page, '^<pre style="font-family: monospace; line-height: 1.25"><span style="color: rgb\\(130, 0, 0\\)">error\\[A0201\\]')
        self.assertEqual(html.unescape(re.sub("<[^>]*>", "", page)), error.rendered)
        shown = "\n".join(error._render_traceback_())
        self.assertEqual(re.sub("\x1b\\[[0-9;]*m", "", shown), error.rendered.rstrip())
        self.assertNotIn("\x1b[38;5;", shown)
        self.assertIn("\x1b[31m", shown)
        self.assertEqual(str(pickle.loads(pickle.dumps(error))), str(error))

    def test_files_that_cannot_be_read(self):
        self.assertEqual(self.wrong("/there/is/no/such.arr").code, "A0501")
        self.assertEqual(self.wrong("/").code, "A0501")

    def test_a_program_without_entries(self):
        self.assertEqual(self.wrong(source="def f (x: i64): i64 = x").code, "A0505")

    def test_externals(self):
        error = self.wrong(source="external cube (x: f64): f64\nentry f (x: f64): f64 = cube x")
        self.assertEqual(error.code, "A0613")
        self.assertIn("nothing defines the external `cube`", error.rendered)
        self.assertIn('`link=["cube.o"]`', error.rendered)
        error = self.wrong(source="external malloc (x: f64): f64\nentry f (x: f64): f64 = malloc x")
        self.assertEqual(error.code, "A0217")

    def test_options(self):
        source = "entry f (x: i64): i64 = x"
        self.assertEqual(self.wrong(source=source, target_cpu="pentium9").code, "A0509")
        with self.assertRaisesRegex(ValueError, 'fusion is one of "none", .*, not "most"'):
            arrc.compile(source=source, fusion="most")
        with self.assertRaisesRegex(ValueError, "opt_level is 0, 1, 2 or 3, not 4"):
            arrc.compile(source=source, opt_level=4)
        with self.assertRaisesRegex(ValueError, "threads is a positive number or None, not -1"):
            arrc.compile(source=source, threads=-1)
        with self.assertRaisesRegex(TypeError, "as `source=…`"):
            arrc.compile()
        with self.assertRaisesRegex(TypeError, "give a program's text as `source=…`"):
            arrc.compile("def f = 1\nentry g = f")

    def test_warnings(self):
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            arrc.compile(source="entry f (x: i64): i64 = let y = x in x", cache=False)
        self.assertEqual([type(one.message) for one in found], [arrc.CompileWarning])
        self.assertIn("`y`", str(found[0].message))
        self.assertEqual(found[0].filename, __file__)

    def test_unknown_names(self):
        m = programs.module()
        with self.assertRaisesRegex(AttributeError, "the program has no entry 'dto'; its entries are dot,"):
            m.dto
        with self.assertRaisesRegex(KeyError, "the program has no entry"):
            m["dto"]
        with self.assertRaisesRegex(ValueError, "there is no form 'wasm'; the forms are ast, core,"):
            m.emit("wasm")
        with self.assertRaisesRegex(ValueError, "there is no diagnostic with the code 'A9999'"):
            arrc.explain("A9999")


if __name__ == "__main__":
    unittest.main()
