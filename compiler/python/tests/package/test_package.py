"""Packages that `arrc build --python` made, without arrc: the tests of calls and errors, and what is different.

Invariant: nothing here can import arrc. The tests of the package arrc find one that has the exceptions only, and skip what
they need the compiler for.
"""

import importlib.util
import inspect
import pathlib
import pickle
import re
import sys
import threading
import types
import unittest

import numpy as np
import programs as built
import programs.errors as errors

TESTS = pathlib.Path(__file__).parent.parent
NO_ARRC = importlib.util.find_spec("arrc") is None


def not_in_packages(*args, **kwargs):
    raise unittest.SkipTest("packages have no compiler, and no statistics")


class Entries:
    """A package as the tests of modules use it."""

    def __init__(self, package):
        self._package = package
        self.stats = not_in_packages

    def __getattr__(self, name):
        return getattr(self._package, name)

    def __getitem__(self, name):
        return getattr(self._package, name)


def _stand_in(name, **content):
    module = types.ModuleType(name)
    module.__dict__.update(content)
    sys.modules[name] = module


_exceptions = {name: getattr(errors, name) for name in errors.__all__}
_stand_in("arrc", compile=not_in_packages, explain=lambda code: f"# {code} ", **_exceptions)
_stand_in(
    "programs",
    SOURCE=(TESTS / "programs.arr").read_text(encoding="utf-8"),
    SCALARS=["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64"],
    module=lambda: Entries(built),
    scalars=lambda: Entries(built),
)
sys.path.append(str(TESTS))
import test_calls  # noqa: E402
import test_errors  # noqa: E402

sys.modules["programs"] = built


class Calls(test_calls.Calls):
    pass


class Arguments(test_errors.Arguments):
    pass


class RunTime(test_errors.RunTime):
    pass


class Package(unittest.TestCase):
    def test_arrc_is_not_there(self):
        self.assertTrue(NO_ARRC)

    def test_inputs_are_not_copied_and_results_neither(self):
        x = np.zeros(1 << 22)
        self.assertEqual(built.dot(x, x), 0.0)
        y = built.twofold(x)
        self.assertIs(type(y.base).__name__, "_Memory")
        self.assertEqual(y.ctypes.data, y.base.__array_interface__["data"][0])

    def test_signatures_and_stubs(self):
        text = inspect.signature(built.above)
        self.assertEqual(list(text.parameters), ["xs", "bound", "out"])
        self.assertEqual(text.return_annotation, "numpy.typing.NDArray[numpy.float64]")
        stub = pathlib.Path(built.__file__).with_name("__init__.pyi").read_text(encoding="utf-8")
        functions = {}
        for line in stub.splitlines():
            if line.startswith("def "):
                name = line[4 : line.index("(")]
                functions[name] = line
                self.assertEqual(f"def {name}{inspect.signature(getattr(built, name))}:".replace("'", ""), re.sub(r"\b_\w+_result\b", "typing.Any", line))
        self.assertEqual(set(functions), set(built.__all__))
        self.assertIn("A second line.", built.dot.__doc__)

    def test_functions_can_be_pickled(self):
        self.assertEqual(pickle.loads(pickle.dumps(built.divide))(7, 2), 3)

    def test_calls_in_calls_of_other_threads(self):
        """Each call has words and a context of its own, also where one call waits for another."""

        class Calls:
            def __array__(self, dtype=None, copy=None):
                thread = threading.Thread(target=lambda: built.dot(np.ones(5), np.ones(5)))
                thread.start()
                thread.join()
                built.dot(np.ones(7), np.ones(7))
                return np.arange(3.0)

        self.assertEqual(built.dot(Calls(), np.ones(3)), 3.0)


if __name__ == "__main__":
    unittest.main()
