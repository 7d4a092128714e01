-- Dimensions of one element: each of them counts.

import "linalg"

-- The row and the matrix have the same scalars.
-- ==
-- entry: one
-- input { } output { [[1i64]] }
-- allocates 1
entry one: [1][1]i64 = [[1]]

-- ==
-- entry: nested
-- input { } output { [[[1i64]]] [[1i64]] [1i64] 1i64 }
entry nested: ([1][1][1]i64, [1][1]i64, [1]i64, i64) = ([[[1]]], [[1]], [1], 1)

-- A column and its elements have the same scalars, and the same number of elements in the first dimension.
-- ==
-- entry: column
-- input { } output { [[5i64], [6i64]] [5i64, 6i64] }
entry column: ([2][1]i64, [2]i64) = ([[5], [6]], [5, 6])

-- ==
-- entry: chosen
-- input { true [[7i64, 8i64]] } output { [[1i64, 2i64]] }
-- input { false [[7i64, 8i64]] } output { [[7i64, 8i64]] }
-- input { true empty([0][2]i64) } output { [[1i64, 2i64]] }
entry chosen [n] (c: bool) (x: [n][2]i64): ?[k].[k][2]i64 = if c then [[1, 2]] else x

-- ==
-- entry: chosen_one
-- input { true [[7i64]] } output { [[1i64]] }
-- input { false [[7i64]] } output { [[7i64]] }
entry chosen_one (c: bool) (x: [1][1]i64): [1][1]i64 = if c then [[1]] else x

-- ==
-- entry: appended
-- input { [[3i64]] } output { [[1i64], [2i64]] [[1i64], [3i64]] [[3i64], [1i64]] }
-- input { empty([0][1]i64) } output { [[1i64], [2i64]] [[1i64]] [[1i64]] }
entry appended [n] (x: [n][1]i64): ([2][1]i64, [n + 1][1]i64, [n + 1][1]i64) =
  ([[1]] ++ [[2]], ([[1]] ++ x) :> [n + 1][1]i64, x ++ [[1]])

-- ==
-- entry: mapped
-- input { 2i64 } output { [[6i64]] [6i64] [[[4i64]], [[4i64]]] }
entry mapped (k: i64): ([1][1]i64, [1]i64, [k][1][1]i64) =
  (map (map (+ k)) [[4]], map i64.sum (map (map (+ k)) [[4]]), replicate k [[4]])

-- Empty arrays of different shapes.
-- ==
-- entry: none
-- input { } output { empty([0]i64) empty([0][1]i64) empty([1][0]i64) empty([0][0]i64) empty([0][1][2]i64) }
entry none: ([0]i64, [0][1]i64, [1][0]i64, [0][0]i64, [0][1][2]i64) = ([], [], [[]], [], [])

-- Texts are arrays of bytes.
-- ==
-- entry: texts
-- input { } output { [97u8] [[97u8]] [[97u8], [98u8]] [97u8, 98u8] }
entry texts: ([1]u8, [1][1]u8, [2][1]u8, [2]u8) = ("a", ["a"], ["a", "b"], "ab")

-- The same constants in steps, in both shapes.
-- ==
-- entry: in_steps
-- input { [0i64, 3i64] } output { [[[5i64], [6i64]], [[5i64], [6i64]]] [[5i64, 6i64], [8i64, 9i64]] }
entry in_steps [n] (xs: [n]i64): ([n][2][1]i64, [n][2]i64) =
  (map (\_ -> [[5], [6]]) xs, map (\x -> map (+ x) [5, 6]) xs)

-- Functions of two constants that differ in their shapes only.
-- ==
-- entry: functions
-- input { [0i64, 1i64] } output { [5i64, 6i64] [[5i64], [6i64]] }
entry functions [n] (xs: [n]i64): ([n]i64, [n][1]i64) =
  (map (\x -> [5, 6][x]) xs, map (\x -> [[5], [6]][x]) xs)

-- Loops, reductions, scans and folds that carry rows of one element, which `replicate` made.

-- ==
-- entry: loops
-- input { 3i64 } output { [[3i64], [3i64]] }
-- input { 0i64 } output { [[0i64], [0i64]] }
entry loops (k: i64): [2][1]i64 =
  loop x = replicate 2 (replicate 1 0) for i < k do map (map (+ i)) x

-- ==
-- entry: whiles
-- input { 9i64 } output { [[16i64], [16i64], [16i64]] }
-- input { 1i64 } output { [[1i64], [1i64], [1i64]] }
entry whiles (k: i64): [3][1]i64 =
  loop x = replicate 3 (replicate 1 1) while x[2, 0] < k do map (map (* 2)) x

-- ==
-- entry: reduced
-- input { [[[1i64], [2i64]], [[3i64], [4i64]]] } output { [[4i64], [6i64]] }
-- input { empty([0][2][1]i64) } output { [[0i64], [0i64]] }
entry reduced [n] (xs: [n][2][1]i64): [2][1]i64 =
  reduce (map2 (map2 (+))) (replicate 2 (replicate 1 0)) xs

-- ==
-- entry: scanned
-- input { [[[1i64], [2i64]], [[3i64], [4i64]]] } output { [[[1i64], [2i64]], [[4i64], [6i64]]] [[[0i64], [0i64]], [[1i64], [2i64]]] }
-- input { empty([0][2][1]i64) } output { empty([0][2][1]i64) empty([0][2][1]i64) }
entry scanned [n] (xs: [n][2][1]i64): ([n][2][1]i64, [n][2][1]i64) =
  let zeros = replicate 2 (replicate 1 0)
  in (scan (map2 (map2 (+))) zeros xs, exscan (map2 (map2 (+))) zeros xs)

-- ==
-- entry: folded
-- input { [1i64, 2i64] } output { [[[8i64]], [[8i64]]] }
-- input { empty([0]i64) } output { [[[5i64]], [[5i64]]] }
entry folded [n] (xs: [n]i64): [2][1][1]i64 =
  fold (\acc x -> map (map (map (+ x))) acc) (replicate 2 (replicate 1 (replicate 1 5))) xs

-- Rows of two elements and of a parameter's length, and in steps.
-- ==
-- entry: others
-- input { [1i64, 2i64] 3i64 } output { [[[[1i64], [1i64]], [[2i64], [2i64]]], [[[2i64], [2i64]], [[3i64], [3i64]]], [[[3i64], [3i64]], [[4i64], [4i64]]]] }
entry others [n] (xs: [n]i64) (k: i64): [k][n][2][1]i64 =
  tabulate k
    (\i -> map (\x -> loop y = replicate 2 (replicate 1 x) for _ < i do map (map (+ 1)) y) xs)

-- ==
-- entry: counts
-- input { [0i64, 1i64, 1i64] } output { [[1i64], [2i64]] }
-- input { [0i64, 2i64] } error: out of bounds
entry counts [n] (is: [n]i64): [2][1]i64 =
  fold (\acc i -> acc with [i, 0] = acc[i, 0] + 1) (replicate 2 (replicate 1 0)) is

-- A system of one equation.
-- ==
-- entry: solved
-- input { 5f64 } output { [2.5f64] [[2.5f64]] }
entry solved (k: f64): ([1]f64, [1][1]f64) = (solve [[2]] [k], mul (inverse [[2]]) [[k]])
