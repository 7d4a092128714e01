-- Tuples: made, taken apart by place and by pattern, nested, in and out of functions.

-- ==
-- entry: by_place
-- input { 1i64 2.5 } output { 2.5 1i64 }
entry by_place (a: i64) (b: f64): (f64, i64) =
  let t = (a, b)
  in (t.1, t.0)

-- ==
-- entry: by_pattern
-- input { 1 2 3 } output { 3 1 }
entry by_pattern (a: i32) (b: i32) (c: i32): (i32, i32) =
  let ((x, _), z) = ((a, b), c)
  in (z, x)

-- ==
-- entry: nested
-- input { 1 2 3 } output { 6 2 }
entry nested (a: i32) (b: i32) (c: i32): (i32, i32) =
  let t = (a, (b, c))
  in (t.0 + t.1.0 + t.1.1, t.1.0)

-- A tuple as a parameter takes one argument for each component.
-- ==
-- entry: parameter
-- input { 10 3 4i64 } output { 7 4i64 }
entry parameter (t: (i32, i32)) (k: i64): (i32, i64) = (t.0 - t.1, k)

def swap 'a 'b (p: (a, b)): (b, a) = (p.1, p.0)

-- ==
-- entry: swapped
-- input { 1 true } output { true 1 }
entry swapped (a: i32) (b: bool): (bool, i32) = swap (a, b)

-- ==
-- entry: in_patterns
-- input { [1, 2, 3] [10, 20, 30] } output { [11, 22, 33] }
-- input { empty([0]i32) empty([0]i32) } output { empty([0]i32) }
entry in_patterns [n] (xs: [n]i32) (ys: [n]i32): [n]i32 = map (\(x, y) -> x + y) (zip xs ys)

def unit: () = ()
def ignore (_: ()) (x: i32): i32 = x

-- The empty tuple has one value.
-- ==
-- entry: empty_tuple
-- input { 7 } output { 7 true }
entry empty_tuple (x: i32): (i32, bool) = (ignore unit x, () == ())

-- ==
-- entry: of_arrays
-- input { [1, 2] [3i64] } output { [3i64] [1, 2] 3i64 }
entry of_arrays [n] [m] (xs: [n]i32) (ys: [m]i64): ([m]i64, [n]i32, i64) =
  let t = (xs, ys)
  in (t.1, t.0, length t.0 + length t.1)

-- ==
-- entry: chosen
-- input { true 1 2.0 } output { 1 2.0 }
-- input { false 1 2.0 } output { 0 -2.0 }
entry chosen (c: bool) (a: i32) (b: f64): (i32, f64) = if c then (a, b) else (0, -b)
