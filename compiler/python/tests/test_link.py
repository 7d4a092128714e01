"""Programs that call functions of C: object files, static and shared libraries, and what is wrong with them."""

import os
import pathlib
import pickle
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import arrc
import numpy as np

SOURCE = """
-- | The number in the middle.
external median [n] (xs: [n]f64): f64
external smooth [n] (xs: [n]f64) (width: i64): [n]f64
#[effect(io)] external count (by: i64): i64
entry middle [n] (xs: [n]f64): f64 = median xs
entry middles [n][m] (xss: [n][m]f64): [n]f64 = map median xss
entry smoothed [n] (xs: [n]f64) (width: i64): [n]f64 = map (* 2) (smooth (map (/ 2) xs) width)
entry counted (by: i64): i64 = count by
"""

ADAPTER = r"""
#include <stdlib.h>
#include <string.h>
#include "statistics.h"

double middle_of(double *xs, int64_t n);
static int64_t counter;

int median(arr_context *ctx, double *out, arr_f64_1d xs)
{
    if (xs.shape[0] == 0)
        return arr_context_fail(ctx, "no numbers");
    double *copy = malloc(xs.shape[0] * sizeof(double));
    memcpy(copy, xs.data, xs.shape[0] * sizeof(double));
    *out = middle_of(copy, xs.shape[0]);
    free(copy);
    return ARR_OK;
}

int smooth(arr_context *ctx, arr_f64_1d *out, arr_f64_1d xs, int64_t width)
{
    int64_t n = xs.shape[0];
    int code = arr_f64_1d_new(ctx, out, n);
    if (code != ARR_OK)
        return code;
    for (int64_t i = 0; i < n; i++) {
        int64_t from = i < width ? 0 : i - width, to = i + width < n ? i + width : n - 1;
        double sum = 0;
        for (int64_t j = from; j <= to; j++)
            sum += xs.data[j];
        out->data[i] = sum / (to - from + 1);
    }
    return ARR_OK;
}

int count(arr_context *ctx, int64_t *out, int64_t by)
{
    (void)ctx;
    *out = counter += by;
    return ARR_OK;
}
"""

MIDDLE = r"""
#include <stdlib.h>
static int compare(const void *p, const void *q)
{
    double x = *(const double *)p, y = *(const double *)q;
    return (x > y) - (x < y);
}
double middle_of(double *xs, long n)
{
    qsort(xs, n, sizeof(double), compare);
    return xs[n / 2];
}
"""

UNUSED = "long unused(long x) { extern long nowhere(long); return nowhere(x); }"


class Link(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.program = cls.folder / "statistics.arr"
        cls.program.write_text(SOURCE)
        (cls.folder / "statistics.h").write_text(arrc.header(cls.program))
        for name, text in {"adapter": ADAPTER, "middle": MIDDLE, "unused": UNUSED}.items():
            (cls.folder / f"{name}.c").write_text(text)
            cls.tool("cc", "-O2", "-fPIC", "-Wall", "-c", f"{name}.c")
        cls.tool("ar", "rcs", "libmiddle.a", "unused.o", "middle.o")
        cls.tool("cc", "-shared", "-o", "libmiddle.so", "middle.o")
        cls.tool("cc", "-shared", "-o", "libadapter.so", "adapter.o", "middle.o")

    @classmethod
    def tool(cls, *command):
        subprocess.run(command, cwd=cls.folder, check=True)

    def compiled(self, *names):
        return arrc.compile(self.program, link=[self.folder / name for name in names])

    def refused(self, kind, *names):
        with self.assertRaises(kind) as caught:
            self.compiled(*names)
        return caught.exception

    def test_functions_of_c_are_called(self):
        xs = np.array([5.0, 1.0, 9.0, 2.0, 7.0])
        for names in [("adapter.o", "middle.o"), ("adapter.o", "libmiddle.a"), ("adapter.o", "libmiddle.so")]:
            m = self.compiled(*names)
            self.assertEqual(m.middle(xs), 5.0)
            self.assertEqual(m.middle(xs[::-2]), 7.0)
            np.testing.assert_array_equal(m.middles(np.array([xs, xs + 1])), [5, 6])
            np.testing.assert_array_equal(m.smoothed(np.array([0.0, 3.0, 6.0]), 1), [1.5, 3.0, 4.5])
            self.assertEqual(m.smoothed(xs, 1).shape, (5,))
            # Each program has the variables of its functions for itself.
            self.assertEqual([m.counted(2), m.counted(3)], [2, 5])
            with self.assertRaisesRegex(arrc.ExternalError, "the external `median` failed: no numbers") as caught:
                m.middle(np.empty(0))
            self.assertEqual(caught.exception.code, "A0612")

    def test_a_program_is_compiled_once_for_all_files(self):
        with tempfile.TemporaryDirectory() as cache, mock.patch.dict(os.environ, {"ARRC_CACHE": cache}):
            self.compiled("adapter.o", "middle.o")
            with mock.patch.object(arrc._arrc, "compile") as compile:
                m = self.compiled("adapter.o", "libmiddle.a")
            self.assertEqual((compile.call_count, m.middle(np.ones(1))), (0, 1.0))

    def test_what_needs_no_functions(self):
        m = self.compiled("adapter.o", "middle.o")
        self.assertIn("calls the C function smooth", str(m.smoothed.explain()))
        self.assertIn("median", m.emit("cnf"))
        header = arrc.header(source=SOURCE, name="s.arr")
        self.assertIn("int median(arr_context *ctx, double *out, arr_f64_1d xs);", header)
        self.assertIn("arr_f64_1d_new", header)
        # Entries are no functions of C here.
        self.assertNotIn("middles", header)

    def test_object_files_travel_with_a_program(self):
        m = self.compiled("adapter.o", "libmiddle.so")
        code = "import pickle, sys; f = pickle.load(sys.stdin.buffer); print(f([3.0, 1.0, 2.0]))"
        with tempfile.TemporaryDirectory() as elsewhere:
            (self.folder / "adapter.o").rename(self.folder / "hidden.o")
            self.addCleanup((self.folder / "hidden.o").rename, self.folder / "adapter.o")
            found = subprocess.run(
                [sys.executable, "-c", code], input=pickle.dumps(m.middle), capture_output=True, check=True, cwd=elsewhere
            )
        self.assertEqual(found.stdout, b"2.0\n")

    def test_functions_that_nothing_defines(self):
        for names in [(), ("middle.o",)]:
            error = self.refused(arrc.CompileError, *names)
            self.assertEqual([found["code"] for found in error.diagnostics], ["A0613"] * 3)
            self.assertIn("nothing defines the external `median`", error.rendered)
            self.assertIn("its prototype is `int median(arr_context *ctx, double *out, arr_f64_1d xs)`", error.rendered)
            self.assertIn("the header that `arrc.header` gives", error.rendered)
            self.assertIn('`link=["median.o"]`', error.rendered)
        error = self.refused(arrc.LoadError, "adapter.o")
        self.assertRegex(
            str(error), "`.*/adapter.o` refers to `middle_of`, which nothing defines: link the file that does as well"
        )
        error = self.refused(arrc.LoadError, "adapter.o", "middle.o", "libmiddle.a", "unused.o")
        self.assertRegex(str(error), "`.*/unused.o` refers to `nowhere`, which nothing defines")

    def test_shared_libraries_do_not_know_the_runtime(self):
        error = self.refused(arrc.LoadError, "libadapter.so")
        self.assertRegex(str(error), "`.*/libadapter.so` cannot be loaded: .*undefined symbol: arr_")
        self.assertIn("link the object file that calls it instead", str(error))

    def test_files_of_other_kinds(self):
        (self.folder / "text.o").write_text("no object")
        os.mkdir(self.folder / "folder.o")
        self.assertRegex(str(self.refused(arrc.LinkError, "none.o")), "there is no file `.*/none.o`: paths in `link=` are")
        self.assertRegex(str(self.refused(arrc.LinkError, "text.o")), "`.*/text.o` is of another kind: `link=` takes object")
        self.assertRegex(str(self.refused(arrc.LinkError, "folder.o")), "`.*/folder.o` is no plain file")
        error = self.refused(arrc.LinkError, "adapter.c")
        self.assertRegex(str(error), "is a source: compile it, as by `cc -O2 -fPIC -c .*/adapter.c`, and link the object")
        self.assertEqual(error.code, "A0614")
        self.assertTrue(arrc.explain(error.code))
        with self.assertRaisesRegex(TypeError, "write `link=\\[…\\]`"):
            arrc.compile(self.program, link="adapter.o")
        error = self.refused(arrc.LoadError, "adapter.o", "middle.o", "middle.o")
        self.assertRegex(str(error), "`middle_of` is defined in `.*middle.o` and in `.*middle.o`: leave one of them out")

    def test_objects_that_only_a_linker_can_place(self):
        (self.folder / "odd.c").write_text("static long xs[4]; long odd(long x) { return xs[x]; }")
        self.tool("cc", "-fno-pic", "-c", "odd.c")
        error = self.refused(arrc.LoadError, "adapter.o", "middle.o", "odd.o")
        self.assertRegex(str(error), "`.*/odd.o` refers to .* compile it with `-fPIC`")
        (self.folder / "odd.c").write_text("__thread long last; long odd(long x) { return last += x; }")
        self.tool("cc", "-fPIC", "-c", "odd.c")
        error = self.refused(arrc.LoadError, "adapter.o", "middle.o", "odd.o")
        self.assertRegex(str(error), "`.*/odd.o`: it has variables of threads: make a shared library of the file")


if __name__ == "__main__":
    unittest.main()
