"""Programs as objects of Python: their descriptions, and the cache."""

import ast
import copy
import inspect
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
import programs
from arrc import _arrc, _cache


class Told(unittest.TestCase):
    def setUp(self):
        self.m = programs.module()

    def test_signatures_and_docstrings(self):
        self.assertEqual(str(inspect.signature(self.m.above)).count("NDArray[numpy.float64]"), 3)
        self.assertEqual(list(inspect.signature(self.m.dot).parameters), ["xs", "ys"])
        self.assertEqual(
            self.m.dot.__doc__,
            "The sum of the products at each place.\n\nA second line.\n\ndot [n] (xs: [n]f64) (ys: [n]f64): f64",
        )
        self.assertEqual(self.m.dot.__name__, "dot")
        self.assertIn("dot", dir(self.m))
        self.assertEqual([f.name for f in self.m][:2], ["dot", "add3"])
        self.assertEqual(len(self.m), programs.SOURCE.count("\nentry "))
        self.assertIn("programs.arr: dot, add3", repr(self.m))

    def test_explain_and_emit(self):
        text = str(self.m.dot.explain())
        self.assertTrue(text.startswith("dot (line "), text)
        self.assertNotIn("add3", text)
        self.assertIn("add3", str(self.m.explain()))
        self.assertTrue(self.m.dot.explain()._repr_html_().startswith("<pre "))
        self.assertIn(">dot (line ", self.m.dot.explain()._repr_html_())
        self.assertIn("{", self.m.emit("clusters"))
        self.assertIn("define", self.m.dot.emit("llvm"))
        self.assertIn("dot", self.m.emit("asm"))

    def test_stubs_are_python(self):
        text = self.m.stub()
        functions = {node.name: node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}
        self.assertEqual(set(functions), {f.name for f in self.m})
        self.assertIn("-> tuple[typing.Literal[\"none\"]] | tuple[typing.Literal[\"some\"], float]", text)
        self.assertIn("class _farthest_result(typing.NamedTuple):\n    x: float\n    y: float\n", text)
        self.assertIn("-> _farthest_result:", text)
        self.assertIn("class _nested_result(typing.NamedTuple):\n    yes: bool\n    lambda_: float\n", text)
        self.assertIn("-> tuple[int, _nested_result]:", text)
        arrays = "numpy.typing.NDArray[numpy."
        self.assertIn(f"    tag: {arrays}int64]\n    some: {arrays}float64]\n", text)
        names = {}
        exec(compile(text, "stub.pyi", "exec"), names)
        self.assertEqual(names["_roots_result"]._fields, self.m.roots(np.zeros(1))._fields)

    def test_entries_come_before_methods(self):
        """Whatever methods there are: each has the name of an entry."""
        methods = [name for name in dir(arrc.Module) if not name.startswith("_")]
        self.assertGreaterEqual(set(methods), {"explain", "emit", "stats", "stub"})
        m = arrc.compile(source="".join(f"entry {name} (x: i64): i64 = x + {at}\n" for at, name in enumerate(methods)))
        for at, name in enumerate(methods):
            self.assertIs(getattr(m, name), m[name])
            self.assertEqual(getattr(m, name)(10), 10 + at)
            self.assertIn(name, dir(m))
        self.assertEqual(arrc.Module.stats(m), m.stats.stats())
        self.assertIn("def stats(x: int) -> int", arrc.Module.stub(m))
        self.assertIn("define", m.emit.emit("llvm"))
        again = pickle.loads(pickle.dumps(m))
        self.assertEqual(again.stats(10), m.stats(10))

    def test_entries_with_names_of_python_are_items(self):
        private = [name for name in dir(programs.module()) if name.startswith("_") and not name.startswith("__w")]
        m = arrc.compile(source="entry _own (x: i64): i64 = x\n" + "".join(f"entry {name} (x: i64): i64 = x\n" for name in private))
        self.assertEqual([m[name](3) for name in private], [3] * len(private))
        self.assertEqual(m._own(3), 3)
        self.assertEqual((m.__class__, len(m)), (arrc.Module, 1 + len(private)))
        self.assertEqual(pickle.loads(pickle.dumps(m))["__class__"](3), 3)

    def test_bench(self):
        found = self.m.dot.bench(np.ones(3), np.ones(3), rounds=3)
        self.assertGreater(found["best"], 0)
        self.assertLessEqual(found["best"], found["median"])

    def test_functions_travel_to_other_processes(self):
        m = arrc.compile(source="entry f (n: i64): [n]i64 = iota n")
        again = pickle.loads(pickle.dumps(m.f))
        np.testing.assert_array_equal(again(3), [0, 1, 2])
        limited = pickle.loads(pickle.dumps(arrc.compile(source=m._job["source"], memory_limit=1000)))
        with self.assertRaises(arrc.MemoryError):
            limited.f(1000)
        made = "import pickle, sys; f = pickle.load(sys.stdin.buffer); print(f(4).sum())"
        found = subprocess.run([sys.executable, "-c", made], input=pickle.dumps(m.f), capture_output=True, check=True)
        self.assertEqual(found.stdout, b"6\n")

    def test_results_travel_to_other_processes(self):
        for result in [self.m.farthest({"x": [1.0, 3.0], "y": [0.0, 4.0]}), self.m.nested({"at": (1, True), "lambda": 0.5})[1]]:
            again = pickle.loads(pickle.dumps(result))
            self.assertEqual((again, type(again), repr(again)), (result, type(result), repr(result)))
            self.assertEqual(copy.deepcopy(result), result)
        roots = pickle.loads(pickle.dumps(self.m.roots(np.array([4.0, -1.0]))))
        np.testing.assert_array_equal(roots.tag, [1, 0])
        made = "import pickle, sys; p = pickle.load(sys.stdin.buffer); print(p, p.x + p.y)"
        pickled = pickle.dumps(self.m.farthest({"x": [3.0], "y": [4.0]}))
        found = subprocess.run([sys.executable, "-c", made], input=pickled, capture_output=True, check=True)
        self.assertEqual(found.stdout, b"farthest_result(x=3.0, y=4.0) 7.0\n")


class Interrupts(unittest.TestCase):
    def test_ctrl_c_ends_the_wait_for_the_compiler(self):
        lines = [f"  let x{n} = map (\\x -> x * {n} + 1) (filter (> {n}) x{n - 1})" for n in range(1, 400)]
        source = "\n".join(["entry f [n] (x0: [n]i64): []i64 =", *lines, "  in x399"])
        made = f"""
import arrc, os, sys, signal, threading, time
# A shell may start background processes with the signal ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
start = time.monotonic()
try:
    arrc.compile(source={source!r}, cache=False)
except KeyboardInterrupt:
    print("interrupted", time.monotonic() - start < 2)
sys.stdout.flush(); os._exit(0)
"""
        found = subprocess.run([sys.executable, "-c", made], capture_output=True, check=True)
        self.assertEqual(found.stdout, b"interrupted True\n")


class Cache(unittest.TestCase):
    SOURCE = 'import "other"\nentry f (x: i64): i64 = g x\n'

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "other.arr").write_text("def g (x: i64): i64 = x + 1\n")
        (self.folder / "main.arr").write_text(self.SOURCE)
        patched = mock.patch.dict(os.environ, {_cache.VARIABLE: str(self.folder / "cache")})
        patched.start()
        self.addCleanup(patched.stop)

    def compiled(self, **options):
        """What f(1) is, and whether the compiler ran."""
        with mock.patch.object(_arrc, "compile", wraps=_arrc.compile) as compile:
            m = arrc.compile(self.folder / "main.arr", **options)
        return m.f(1), bool(compile.call_count)

    def test_what_was_compiled_is_not_compiled_again(self):
        self.assertEqual(self.compiled(), (2, True))
        self.assertEqual(self.compiled(), (2, False))
        self.assertEqual(self.compiled(opt_level=1), (2, True))
        self.assertEqual(self.compiled(cache=False), (2, True))
        (self.folder / "other.arr").write_text("def g (x: i64): i64 = x + 10\n")
        self.assertEqual(self.compiled(), (11, True))
        (self.folder / "main.arr").write_text(self.SOURCE.replace("g x", "g (g x)"))
        self.assertEqual(self.compiled(), (21, True))
        self.assertEqual(self.compiled(), (21, False))

    def test_a_new_file_that_an_import_means_is_compiled(self):
        text = 'import "statistics"\nentry f (x: i64): i64 = i64.f64 (mean [f64.i64 x, 3])\n'
        (self.folder / "main.arr").write_text(text)
        self.assertEqual(self.compiled(), (2, True))
        self.assertEqual(self.compiled(), (2, False))
        (self.folder / "statistics.arr").write_text("def mean [n] (xs: [n]f64): f64 = 77\n")
        self.assertEqual(self.compiled(), (77, True))
        self.assertEqual(self.compiled(), (77, False))
        (self.folder / "statistics.arr").unlink()
        self.assertEqual(self.compiled(), (2, True))

    def test_programs_with_imports_travel_to_other_folders(self):
        """They are as they were when they were compiled, whatever has become of the files."""
        m = arrc.compile(self.folder / "main.arr")
        pickled = pickle.dumps((m, m.f))
        made = "import pickle, sys; m, f = pickle.load(sys.stdin.buffer); print(m.f(1), f(2), len(m.emit('core')) > 0)"
        with tempfile.TemporaryDirectory() as other:
            (pathlib.Path(other) / "other.arr").write_text("def g (x: i64): i64 = x + 100\n")
            for cache in ["", str(self.folder / "cache")]:
                environment = {**os.environ, _cache.VARIABLE: cache}
                (self.folder / "other.arr").unlink(missing_ok=True)
                found = subprocess.run([sys.executable, "-c", made], input=pickled, capture_output=True, cwd=other, env=environment)
                self.assertEqual((found.stdout, found.stderr), (b"2 3 True\n", b""))
        self.assertIn("f", m.emit("core"))
        self.assertEqual(pickle.loads(pickled)[0].f(1), 2)

    def test_broken_files_are_not_used(self):
        self.compiled()
        (path,) = (self.folder / "cache").iterdir()
        whole = path.read_bytes()
        for broken in [b"", whole[:100], whole[:-1], whole[:-8] + b"\0" * 8, b"{}\n" + whole]:
            path.write_bytes(broken)
            self.assertEqual(self.compiled(), (2, True))

    def test_only_the_user_reads_and_writes_there(self):
        self.compiled()
        self.assertEqual((self.folder / "cache").stat().st_mode & 0o077, 0)

    def test_a_folder_that_cannot_be_written_is_no_error(self):
        with mock.patch.dict(os.environ, {_cache.VARIABLE: "/proc/no"}):
            self.assertEqual(self.compiled(), (2, True))
        with mock.patch.dict(os.environ, {_cache.VARIABLE: ""}):
            self.assertEqual(self.compiled(), (2, True))
        self.assertFalse((self.folder / "cache").exists())

    def test_the_cache_does_not_grow_without_end(self):
        with mock.patch.object(_cache, "MOST", 4):
            for number in range(8):
                arrc.compile(source=f"entry f (x: i64): i64 = x + {number}")
        self.assertLessEqual(len(list((self.folder / "cache").iterdir())), 4)


if __name__ == "__main__":
    unittest.main()
