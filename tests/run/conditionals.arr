-- `if` over scalars, tuples, arrays of one size and of several.

-- ==
-- entry: sign
-- input { 5 } output { 1 }
-- input { 0 } output { 0 }
-- input { -5 } output { -1 }
entry sign (x: i32): i32 = if x > 0 then 1 else if x < 0 then -1 else 0

-- ==
-- entry: same_size
-- input { true [1, 2, 3] } output { [2, 4, 6] }
-- input { false [1, 2, 3] } output { [1, 2, 3] }
-- input { true empty([0]i32) } output { empty([0]i32) }
entry same_size [n] (c: bool) (xs: [n]i32): [n]i32 = if c then map (* 2) xs else xs

-- The branches may differ in size: the result's is known when it is there.
-- ==
-- entry: some_size
-- input { true [1, -2, 3] } output { [1, 3] }
-- input { false [1, -2, 3] } output { [1, -2, 3, 0] }
-- input { true [-1] } output { empty([0]i32) }
entry some_size [n] (c: bool) (xs: [n]i32): ?[k].[k]i32 =
  if c then filter (> 0) xs else xs ++ [0]

-- ==
-- entry: used_after
-- input { true [1, -2, 3] } output { 2i64 [2, 6] }
-- input { false [1, -2, 3] } output { 1i64 [0] }
entry used_after [n] (c: bool) (xs: [n]i32): ?[k].(i64, [k]i32) =
  let ys = if c then filter (> 0) xs else [0]
  in (length ys, map (* 2) ys)

-- ==
-- entry: nested
-- input { 0 [1, 2] } output { empty([0]i32) }
-- input { 1 [1, 2] } output { [1, 2] }
-- input { 2 [1, 2] } output { [1, 2, 1, 2] }
-- input { 3 [1, 2] } output { [1, 2, 1, 2, 1, 2] }
entry nested [n] (k: i32) (xs: [n]i32): ?[m].[m]i32 =
  if k == 0 then []
  else if k == 1 then xs
  else if k == 2 then xs ++ xs
  else xs ++ xs ++ xs

-- ==
-- entry: mixed
-- input { true [4, 5] } output { 9 [5, 6] true }
-- input { false [4, 5] } output { 0 [4, 5] false }
entry mixed [n] (c: bool) (xs: [n]i32): (i32, [n]i32, bool) =
  if c then (reduce (+) 0 xs, map (+ 1) xs, true) else (0, xs, false)

-- ==
-- entry: in_a_loop
-- input { [1, -2, 0] } output { [1, 2, 100] }
entry in_a_loop [n] (xs: [n]i32): [n]i32 =
  map (\x -> if x > 0 then x else if x == 0 then 100 else -x) xs

-- A branch that is not taken does nothing, wrong as it may be.
-- ==
-- entry: lazy
-- input { false [1] 5i64 } output { 0 }
-- input { true [1] 0i64 } output { 1 }
-- input { true [1] 5i64 } error: index 5 is out of bounds for an array of length 1
entry lazy [n] (c: bool) (xs: [n]i32) (i: i64): i32 = if c then xs[i] else 0

-- The same condition twice.
-- ==
-- entry: twice
-- input { 3 } output { 4 6 }
-- input { -3 } output { -4 -6 }
entry twice (x: i32): (i32, i32) =
  let a = if x > 0 then x + 1 else x - 1
  let b = if x > 0 then a + 2 else a - 2
  in (a, b)
