-- What the prelude writes in the language itself.

-- ==
-- entry: ends
-- input { [5, 6, 7] } output { 5 7 false }
-- input { [5] } output { 5 5 false }
-- input { empty([0]i32) } error: index 0 is out of bounds for an array of length 0
entry ends [n] (xs: [n]i32): (i32, i32, bool) = (head xs, last xs, null xs)

-- ==
-- entry: is_null
-- input { empty([0]i32) } output { true }
-- input { [0] } output { false }
entry is_null [n] (xs: [n]i32): bool = null xs

-- ==
-- entry: positions
-- input { [5, 6] } output { [0i64, 1i64] [0i64, 1i64] [5, 6] [0i64, 6i64] }
-- input { empty([0]i32) } output { empty([0]i64) empty([0]i64) empty([0]i32) empty([0]i64) }
entry positions [n] (xs: [n]i32): ([n]i64, [n]i64, [n]i32, [n]i64) =
  let (is, ys) = unzip (indexed xs)
  in (indices xs, is, ys, map_index (\i x -> i * i64.i32 x) xs)

-- ==
-- entry: truths
-- input { [true, true] } output { true true }
-- input { [true, false] } output { false true }
-- input { [false] } output { false false }
-- input { empty([0]bool) } output { true false }
entry truths [n] (xs: [n]bool): (bool, bool) = (and xs, or xs)

-- ==
-- entry: predicates
-- input { [1, 2, 3] } output { true true 2i64 }
-- input { [1, -2] } output { false true 0i64 }
-- input { [-1] } output { false false 0i64 }
-- input { empty([0]i32) } output { true false 0i64 }
entry predicates [n] (xs: [n]i32): (bool, bool, i64) = (all (> 0) xs, any (> 0) xs, count (> 1) xs)

-- ==
-- entry: functions
-- input { 3 4 } output { 3 3 -1 1 12 7 }
entry functions (x: i32) (y: i32): (i32, i32, i32, i32, i32, i32) =
  (id x, const x y, x - y, flip (-) x y, curry (\(a, b) -> a * b) x y, uncurry (+) (x, y))

-- A definition of the same name counts in this program.
def zip3 (x: i32): i32 = x + 100

-- ==
-- entry: shadowed
-- input { 1 } output { 101 }
entry shadowed (x: i32): i32 = zip3 x
