"""Random programs of the oracle over dask arrays in small chunks, against the entries themselves.

Where an entry fails, it may fail in chunks too, or give results, but only by an exception of a call.
"""

import os
import pathlib
import random
import sys
import time
import unittest
import warnings

import dask
import dask.array as da
import numpy as np

import arrc
import arrc.dask

sys.path.append(str(pathlib.Path(__file__).parents[3] / "tests/oracle"))
import families  # noqa: E402
from inputs import flattened  # noqa: E402
from native import DTYPES  # noqa: E402
from outcome import Subject  # noqa: E402
from words import Unsupported  # noqa: E402

ALL = os.environ.get("ARR_TESTS") == "all"
#: How many programs there are; at night other ones each time.
COUNT, SEED = (1000, int(time.time())) if ALL else (10, os.environ.get("PROPTEST_RNG_SEED", "1"))


def argument(shape, components):
    """An argument of an entry from its components."""
    if "tuple" in shape:
        return tuple(argument(part, components) for part in shape["tuple"])
    if "elem" not in shape:
        raise Unsupported("records and sums")
    (extents, items), dtype = next(components), np.dtype(DTYPES[shape["elem"]])
    return np.array(items, dtype).reshape(extents) if shape["rank"] else dtype.type(items[0])


def in_chunks(value, length):
    if isinstance(value, tuple):
        return tuple(in_chunks(part, length) for part in value)
    return da.from_array(value, chunks=(length, *value.shape[1:])) if value.ndim else value


def leaves(value):
    if isinstance(value, (tuple, dict)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from leaves(part)
    else:
        yield value


class Random(unittest.TestCase):
    def test_chunks_give_what_whole_arrays_give(self):
        warnings.simplefilter("ignore", arrc.CompileWarning)
        warnings.simplefilter("ignore", arrc.dask.WholeArrayWarning)
        calls = 0
        with dask.config.set({"scheduler": "synchronous", "array.chunk-size": "64 B"}):
            for number in range(COUNT):
                calls += self.program(number)
        self.assertGreater(calls, COUNT)

    def program(self, number):
        """Checks the calls of a program; how many there are. A program that the compiler rejects has none."""
        seed = f"{SEED}-{number}"
        text, _ = families.program(random.Random(seed), f"p{number}", number)
        try:
            subject = Subject(text, None, seed, 3, False)
            module = arrc.compile(source=text, opt_level=0, cache=False)
        except (Unsupported, arrc.CompileError):
            return 0
        calls = 0
        for call in subject.calls:
            function, components = module[call.entry], iter(flattened(call.arguments))
            try:
                args = [argument(param["shape"], components) for param in function._shape["params"]]
            except Unsupported:
                continue
            for length in (1, 2, 5):
                with self.subTest(text=text, args=args, chunk=length):
                    calls += 1
                    self.agree(function, args, length)
        return calls

    def agree(self, function, args, length):
        try:
            expected = list(leaves(function(*args)))
        except arrc.RuntimeError:
            expected = None
        try:
            found = arrc.dask.run(function, *(in_chunks(arg, length) for arg in args))
            found = [np.asarray(each) for each in dask.compute(*leaves(found))]
        except arrc.RuntimeError:
            self.assertIsNone(expected)
            return
        if expected is None:
            return
        self.assertEqual(len(found), len(expected))
        for one, other in zip(found, expected):
            self.assertEqual(one.shape, np.shape(other))
            rounding = 1e-5 if one.dtype == np.float32 else 1e-9
            np.testing.assert_allclose(one, other, rounding, rounding)


if __name__ == "__main__":
    unittest.main()
