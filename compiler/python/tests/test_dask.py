"""Entries over dask arrays, against the entries themselves."""

import os
import tempfile
import unittest
import unittest.mock
import warnings

import dask
import dask.array as da
import numpy
from dask.callbacks import Callback

import arrc
import arrc.dask

SOURCE = r"""
entry normalize2 [n] (xs: [n]i64): ([n]i64, [n]i64) =
  let gts = filter (> 0) xs
  in (map (/ reduce (+) 0 xs) xs, map (/ reduce (+) 0 gts) xs)
entry above [n] (xs: [n]f64) (bound: f64): ?[k].[k]f64 = filter (> bound) xs
entry counted [n] (xs: [n]f64): (i64, i64) = (length (filter (> 0.5) xs), n)
entry apart [n] (xs: [n]f64): ?[k].([k]f64, [k]f64, i64) =
  let ys = filter (> 0.5) xs in (map (* 2) ys, map (/ f64.sum ys) ys, length ys)
entry running [n] (xs: [n]i64): ([n]i64, [n]i64) = (map (+ 1) (scan (+) 0 xs), exscan (+) 0 xs)
entry in_order [n] (xs: [n]f64): f64 = fold (\acc x -> acc * 0.5 + x) 1 xs
entry positions [n] (xs: [n]i64): i64 = i64.sum (map2 (*) xs (iota n))
entry kept_at [n] (xs: [n]i64): ?[k].[k]i64 = filter (\i -> xs[i] > 20) (iota n)
entry made (n: i64): [n]i64 = map (* 3) (iota n)
entry products [n][m] (xs: [n]i64) (ys: [m]i64): i64 = reduce i64.max 0 (map (\(x, y) -> x * y) (cross xs ys))
entry taken [n][m] (xs: [n]f64) (is: [m]i64): [m]f64 = gather xs is
entry spread [n] (xs: [n]i64): ?[k].[k]i64 = flatmap (\x -> iota (x % 4)) (map i64.abs xs)
entry smoothed [n] (xs: [n]f64): [n]f64 =
  tabulate n (\i -> xs[i64.max 0 (i - 1)] + xs[i] + xs[i64.min (n - 1) (i + 1)])
entry counts [n] (k: i64) (ks: [n]i64): [k]i64 = hist (+) 0 k ks (map (\_ -> 1) ks)
entry weights [n] (k: i64) (ks: [n]i64) (ws: [n]f64): [k]f64 = hist (+) 0 k ks ws
entry rows [n][m] (a: [n][m]f64): [n]f64 = map f64.sum a
entry columns [n][m] (a: [n][m]f64): [m]f64 = reduce (map2 (+)) (replicate m 0) a
entry turned [n][m] (a: [n][m]f64): [m][n]f64 = transpose a
entry product [n][m] (a: [n][m]f64) (x: [m]f64): [n]f64 = map (\r -> f64.sum (map2 (*) r x)) a
entry slope [n] (xs: [n]f64) (ys: [n]f64) (steps: i64): f64 =
  loop w = 0 for _ < steps do w - 0.1 * f64.sum (map2 (\x y -> (w * x - y) * x) xs ys) / f64.i64 n
entry shrunk [n] (xs: [n]f64): f64 =
  loop s = 1 while s > 0.001 && s < 100 do s * f64.sum (map (* 0.0005) xs)
entry chosen [n] (xs: [n]f64) (c: bool): ?[k].[k]f64 = if c then filter (> 0.5) xs else xs ++ map (* 2) xs
entry by_mean [n] (xs: [n]f64): f64 =
  if f64.sum xs > 10 then f64.sum (map (* 2) xs) else f64.maximum xs
entry farthest [n] (ps: [n]{x: f64, y: f64}): {x: f64, y: f64} =
  reduce (\p q -> if p.x * p.x + p.y * p.y >= q.x * q.x + q.y * q.y then p else q) {x = 0, y = 0} ps
entry sorted_sum [n] (xs: [n]i64): i64 = i64.sum (map2 (*) (sort (<=) xs) (iota n))
entry halved [n] (xs: [n]i64): i64 = if n <= 1 then i64.sum xs else halved (take (n / 2) xs) + i64.sum (drop (n / 2) xs)
entry last_of [n] (xs: [n]f64): f64 = xs[n - 1] + xs[0]
entry checked [n] (xs: [n]f64): f64 = let s = f64.sum xs in assert (s < 5) s
entry divided [n] (xs: [n]i64): [n]i64 = map (\x -> 100 / x) xs
def sorted [n] (xs: [n]i64): ?[k].[k]i64 =
  if n <= 1 then xs
  else let p = xs[n / 2] in sorted (filter (< p) xs) ++ filter (== p) xs ++ sorted (filter (> p) xs)
entry quicksort [n] (xs: [n]i64): ?[k].[k]i64 = sorted xs
def odds [n] (xs: [n]i64): i64 = if n == 0 then 0 else i64.sum xs + evens (filter (> 0) (map (/ 2) xs))
def evens [n] (xs: [n]i64): i64 = if n == 0 then 1 else i64.maximum xs - odds (filter (> 0) (map (/ 3) xs))
entry alternating [n] (xs: [n]i64): i64 = odds xs
entry picked [n] (xs: [n]i64) (at: i64): i64 = let ys = filter (> 0) xs in ys[at] * 1000 + xs[at]
type point = {x: f64, y: f64}
def area (a: point) (b: point) (p: point): f64 = (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)
def before (p: point) (q: point): bool = p.x < q.x || (p.x == q.x && p.y <= q.y)
def side [n] (a: point) (b: point) (ps: [n]point): ?[m].[m]point =
  let left = zip ps (map (area a b) ps) |> filter (\(_, d) -> d > 0)
  let farther l r = if l.1 > r.1 || (l.1 == r.1 && before l.0 r.0) then l else r
  let (far, d) = reduce farther (a, 0) left
  in if d == 0 then [a] else side a far (map (.0) left) ++ side far b (map (.0) left)
entry quickhull [n] (xs: [n]f64) (ys: [n]f64): ?[h].([h]f64, [h]f64) =
  let ps = map2 (\x y -> {x, y}) xs ys
  let first = reduce (\p q -> if before p q then p else q) {x = f64.inf, y = f64.inf} ps
  let last = reduce (\p q -> if before p q then q else p) {x = -f64.inf, y = -f64.inf} ps
  let hull = if n == 0 then [] else if first == last then [first] else side first last ps ++ side last first ps
  in unzip (map (\p -> (p.x, p.y)) hull)
entry kept_in_steps [n] [m] (a: [n][m]f64): [n]i64 = map (\r -> length (filter (> 0.5) r)) a
entry sorted_in_steps [n] [m] (a: [n][m]f64): [n]f64 =
  map (\r -> f64.sum (map2 (*) (sort (<=) r) (map f64.i64 (iota m)))) a
entry rows_of_another [n] [m] (a: [n][m]f64) (xs: [n]f64): [n][m]f64 =
  map (\x -> tabulate m (\j -> x * f64.i64 j)) xs
def grow [k] (z: [k]i64) (n: i64): ?[r].[r]i64 = if n == 0 then z else grow (z ++ [n]) (n - 1)
entry grown [n] (xs: [n]i64): i64 =
  let a = fold (\a x -> a with [i64.abs x % length a] = x) (grow [7] (n % 4)) xs
  in length a * 100 + length (grow [7] (n % 4))
entry two__pass0 (x: i64): i64 = x
entry two [n] (xs: [n]f64) (ys: [n]f64): f64 = f64.sum (map2 (*) xs ys)
"""

MODULE = arrc.compile(source=SOURCE, opt_level=1)
RANDOM = numpy.random.default_rng(7)
INTEGERS = RANDOM.integers(-9, 50, 101)
FLOATS = RANDOM.random(101)
MATRIX = RANDOM.random((101, 6))
KEYS = RANDOM.integers(-1, 11, 101)

#: The arguments of each entry that has no test of its own.
CALLS = {
    "normalize2": (INTEGERS,),
    "above": (FLOATS, 0.4),
    "counted": (FLOATS,),
    "apart": (FLOATS,),
    "running": (INTEGERS,),
    "in_order": (FLOATS,),
    "positions": (INTEGERS,),
    "kept_at": (INTEGERS,),
    "made": (50,),
    "products": (INTEGERS, KEYS),
    "taken": (FLOATS, numpy.abs(KEYS)),
    "spread": (INTEGERS,),
    "smoothed": (FLOATS,),
    "counts": (10, KEYS),
    "weights": (10, KEYS, FLOATS),
    "rows": (MATRIX,),
    "columns": (MATRIX,),
    "turned": (MATRIX,),
    "product": (MATRIX, FLOATS[:6]),
    "slope": (FLOATS, FLOATS[::-1], 4),
    "shrunk": (FLOATS,),
    "chosen": (FLOATS, True),
    "by_mean": (FLOATS,),
    "sorted_sum": (INTEGERS,),
    "halved": (INTEGERS,),
    "last_of": (FLOATS,),
    "quicksort": (INTEGERS,),
    "quickhull": (FLOATS, MATRIX[:, 0].copy()),
    "alternating": (INTEGERS,),
    "picked": (INTEGERS, 30),
    "kept_in_steps": (MATRIX,),
    "sorted_in_steps": (MATRIX,),
    "rows_of_another": (MATRIX, FLOATS),
    "grown": (INTEGERS,),
    "two": (FLOATS, FLOATS),
}


def in_chunks(value, length):
    if isinstance(value, numpy.ndarray) and value.shape[0] > 6:
        return da.from_array(value, chunks=(length,) + value.shape[1:])
    return value


def quietly(entry, *args):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", arrc.dask.WholeArrayWarning)
        return dask.compute(arrc.dask.run(entry, *args))[0]


class Loads:
    """A dask array whose chunks count how often they are loaded."""

    def __init__(self, array, length):
        self.count = 0
        self.array = da.from_array(array, chunks=length).map_blocks(self.load, meta=array[:0])

    def load(self, chunk):
        self.count += 1
        return chunk


class Dask(unittest.TestCase):
    def setUp(self):
        dask.config.set(scheduler="synchronous")

    def same(self, found, expected):
        if isinstance(expected, tuple):
            self.assertEqual(len(found), len(expected))
            for one, other in zip(found, expected):
                self.same(one, other)
            return
        self.assertEqual(numpy.asarray(found).dtype, numpy.asarray(expected).dtype)
        numpy.testing.assert_allclose(found, expected, rtol=1e-12)

    def test_entries_give_what_they_give_on_whole_arrays(self):
        for name, args in CALLS.items():
            expected = MODULE[name](*args)
            for length in (101, 40, 7, 1):
                with self.subTest(entry=name, chunk=length):
                    self.same(quietly(MODULE[name], *(in_chunks(arg, length) for arg in args)), expected)

    def test_choices(self):
        for choice in (True, False):
            found = quietly(MODULE.chosen, in_chunks(FLOATS, 10), choice)
            self.same(found, MODULE.chosen(FLOATS, choice))

    def test_lists_are_arrays(self):
        self.same(quietly(MODULE.in_order, [0.5, 1.5]), MODULE.in_order([0.5, 1.5]))

    def test_records_are_dicts(self):
        points = {"x": in_chunks(FLOATS, 10), "y": in_chunks(FLOATS[::-1].copy(), 10)}
        found = quietly(MODULE.farthest, points)
        expected = MODULE.farthest({"x": FLOATS, "y": FLOATS[::-1]})
        self.assertEqual((found["x"], found["y"]), tuple(expected))

    def test_arrays_with_other_chunks_are_cut_again(self):
        found = quietly(MODULE.two, in_chunks(FLOATS, 10), in_chunks(FLOATS, 33))
        self.same(found, MODULE.two(FLOATS, FLOATS))
        self.same(quietly(MODULE.two, in_chunks(FLOATS, 10), FLOATS), MODULE.two(FLOATS, FLOATS))

    def test_files_are_mapped(self):
        with tempfile.TemporaryDirectory() as folder, dask.config.set({"array.chunk-size": "160 B"}):
            path = os.path.join(folder, "xs.npy")
            numpy.save(path, INTEGERS)
            self.same(quietly(MODULE.normalize2, path), MODULE.normalize2(INTEGERS))
            part = numpy.load(path, mmap_mode="r")[13:90]
            found = arrc.dask.run(MODULE.normalize2, part)
            self.assertEqual(found[0].chunks, ((20, 20, 20, 17),))
            self.same(quietly(MODULE.normalize2, part), MODULE.normalize2(INTEGERS[13:90]))

    def test_empty_arrays_and_empty_chunks(self):
        parts = [FLOATS[:40], FLOATS[:0], FLOATS[40:]]
        array = da.concatenate([da.from_array(part, chunks=100) for part in parts])
        self.same(quietly(MODULE.above, array, 0.4), MODULE.above(FLOATS, 0.4))
        self.same(quietly(MODULE.in_order, array), MODULE.in_order(FLOATS))
        self.same(quietly(MODULE.above, da.from_array(FLOATS[:0], chunks=5), 0.4), FLOATS[:0])

    def test_each_pass_loads_each_chunk_once(self):
        passes = {"normalize2": 2, "running": 1, "positions": 1, "spread": 1}
        for name, count in passes.items():
            loads = Loads(INTEGERS, 10)
            result = arrc.dask.run(MODULE[name], loads.array)
            self.assertEqual(loads.count, 0)
            dask.compute(result)
            self.assertEqual(loads.count, count * 11, name)

    def test_a_task_loads_the_chunks_that_only_it_needs(self):
        loads, ran = Loads(FLOATS, 10), []
        with Callback(posttask=lambda key, *_: ran.append(str(key))):
            found = dask.compute(arrc.dask.run(MODULE.above, loads.array, 0.4))[0]
        self.same(found, MODULE.above(FLOATS, 0.4))
        self.assertEqual([key for key in ran if "load" in key], [])
        self.assertEqual(loads.count, 11)

    def test_a_chunk_that_several_tasks_need_is_loaded_once(self):
        loads = Loads(FLOATS, 10)
        self.same(quietly(MODULE.above, loads.array.rechunk(25), 0.4), MODULE.above(FLOATS, 0.4))
        self.assertEqual(loads.count, 11)

    def test_recursive_calls_read_as_often_as_their_passes(self):
        # One pass for the ends, and one for each side of the line between them: then all calls fit a chunk.
        xs, ys = Loads(FLOATS, 80), Loads(MATRIX[:, 0].copy(), 80)
        found = dask.compute(arrc.dask.run(MODULE.quickhull, xs.array, ys.array))[0]
        self.same(found, MODULE.quickhull(FLOATS, MATRIX[:, 0]))
        self.assertEqual((xs.count, ys.count), (3 * 2, 3 * 2))

    def test_recursion_ends_arrays_that_are_dead(self):
        from arrc import _plan

        most = 0

        class Walk(_plan.Walk):
            def live(self):
                nonlocal most
                live = list(super().live())
                most = max(most, len(live))
                return live

        with unittest.mock.patch.object(_plan, "Walk", Walk):
            self.same(quietly(MODULE.alternating, in_chunks(INTEGERS, 1)), MODULE.alternating(INTEGERS))
        # The arrays of one function at a time: its arguments, and the arguments of the next call.
        self.assertLess(most, 3 * 101)

    def test_small_chunks_of_a_recursive_call_become_one(self):
        groups = arrc.dask._plan._groups([3, 4, 9, 0, 2, 5, 6], 9)
        self.assertEqual(groups, [(0, 2), (2, 4), (4, 6), (6, 7)])

    def test_an_element_loads_the_chunk_that_has_it(self):
        loads = Loads(FLOATS, 10)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.same(dask.compute(arrc.dask.run(MODULE.last_of, loads.array))[0], MODULE.last_of(FLOATS))
        self.assertEqual(loads.count, 2)
        with self.assertRaisesRegex(arrc.IndexError, "index 101 is out of bounds for length 101"):
            quietly(MODULE.picked, in_chunks(numpy.ones(101, "i8"), 10), 101)

    def test_what_a_condition_waits_for_is_not_computed_again(self):
        loads = Loads(FLOATS, 10)
        self.same(dask.compute(arrc.dask.run(MODULE.by_mean, loads.array))[0], MODULE.by_mean(FLOATS))
        self.assertEqual(loads.count, 2 * 11)

    def test_persisted_arrays_are_not_computed_again(self):
        loads = Loads(INTEGERS, 10)
        array = loads.array.persist()
        self.same(quietly(MODULE.normalize2, array), MODULE.normalize2(INTEGERS))
        self.assertEqual(loads.count, 11)

    def test_an_array_that_is_needed_in_one_place_is_told_of(self):
        with self.assertWarnsRegex(arrc.dask.WholeArrayWarning, "`xs`, of 808 B, is needed in one place"):
            arrc.dask.run(MODULE.taken, in_chunks(FLOATS, 10), in_chunks(numpy.abs(KEYS), 10))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            arrc.dask.run(MODULE.normalize2, in_chunks(INTEGERS, 10))

    def test_results_are_dask_arrays(self):
        found, sums = arrc.dask.run(MODULE.normalize2, in_chunks(INTEGERS, 10))
        self.assertEqual(found.chunks, sums.chunks)
        self.assertEqual(found.shape, (101,))
        self.assertEqual(int((found + 1).sum().compute()), int((MODULE.normalize2(INTEGERS)[0] + 1).sum()))
        kept = arrc.dask.run(MODULE.above, in_chunks(FLOATS, 10), 0.4)
        self.assertTrue(numpy.isnan(kept.shape[0]))

    def test_errors(self):
        divided = arrc.dask.run(MODULE.divided, in_chunks(numpy.zeros(4, "i8"), 2))
        with self.assertRaisesRegex(arrc.DivisionError, "division by zero"):
            divided.compute()
        checked = arrc.dask.run(MODULE.checked, in_chunks(FLOATS, 10))
        with self.assertRaises(arrc.AssertionError):
            checked.compute()
        with self.assertRaisesRegex(arrc.ArgumentError, "`xs` has elements of type int64, and the array that is passed float64"):
            arrc.dask.run(MODULE.divided, in_chunks(FLOATS, 10))
        with self.assertRaisesRegex(arrc.ArgumentError, "`a` has 2 axes, and the array that is passed has 1"):
            arrc.dask.run(MODULE.rows, in_chunks(FLOATS, 10))
        with self.assertRaisesRegex(arrc.ShapeError, "has the length 50, and another array of that size 101"):
            arrc.dask.run(MODULE.two, in_chunks(FLOATS, 10), in_chunks(FLOATS[:50], 10))
        with self.assertRaisesRegex(arrc.ArgumentError, "`xs` is an array, not None"):
            arrc.dask.run(MODULE.in_order, None)
        with self.assertRaisesRegex(arrc.ArgumentError, "`xs` is a path, but not of a `.npy` file: open 'a.csv' by Dask"):
            arrc.dask.run(MODULE.in_order, "a.csv")
        with self.assertRaisesRegex(arrc.ArgumentError, "`steps` is a scalar of type int64, not 2.5"):
            arrc.dask.run(MODULE.slope, FLOATS, FLOATS, 2.5)
        with self.assertRaises(FileNotFoundError):
            arrc.dask.run(MODULE.in_order, "missing.npy")
        with self.assertRaisesRegex(TypeError, "ys"):
            arrc.dask.run(MODULE.two, in_chunks(FLOATS, 10))

    def test_threads_give_the_same(self):
        with dask.config.set(scheduler="threads"):
            self.same(quietly(MODULE.normalize2, in_chunks(INTEGERS, 10)), MODULE.normalize2(INTEGERS))

    def test_the_plan_is_the_one_that_is_emitted(self):
        plan = arrc.dask.plan(MODULE.normalize2)
        self.assertEqual([step["step"] for step in plan["steps"]], ["pass", "pass"])
        self.assertEqual(plan["steps"][0]["reads"], ["xs"])


if __name__ == "__main__":
    unittest.main()
