-- Rows that a step takes, by a computed position, out of an array that it makes.

-- ==
-- entry: tabulated
-- input { [0i64, 1i64, 2i64] } output { [[5i64, 5i64], [6i64, 6i64], [7i64, 7i64]] }
-- input { empty([0]i64) } output { empty([0][2]i64) }
-- input { [1i64, 3i64] } error: out of bounds
-- input { [-1i64] } error: out of bounds
entry tabulated [n] (is: [n]i64): [n][2]i64 =
  map (\s -> let w = tabulate 3 (\i -> replicate 2 (i + 5)) in w[s]) is

-- ==
-- entry: literal
-- input { [0i64, 1i64, 1i64, 0i64] } output { [[0i64, 1i64, 2i64], [2i64, 2i64, 1i64], [2i64, 2i64, 1i64], [0i64, 1i64, 2i64]] }
-- input { [2i64] } error: out of bounds
entry literal [n] (is: [n]i64): [n][3]i64 =
  map (\s -> let w = [[s, 1, 2], [2 * s, 2, s]] in w[s]) is

-- ==
-- entry: rows_of_calls
-- input { [[1i64, 2i64], [3i64, 4i64]] [1i64, 0i64, 1i64] } output { [[2i64, 4i64], [2i64, 3i64], [2i64, 4i64]] }
-- input { [[1i64, 2i64], [3i64, 4i64]] [2i64] } error: out of bounds
entry rows_of_calls [n] [m] (xs: [2][m]i64) (is: [n]i64): [n][m]i64 =
  map (\s -> let w = [map (+ 1) xs[0], map (* 2) xs[0]] in w[s]) is

-- ==
-- entry: mapped
-- input { [4i64, 5i64] [1i64, 0i64] } output { [[5i64, 6i64], [4i64, 5i64]] }
-- input { empty([0]i64) [1i64] } error: out of bounds
entry mapped [n] [m] (xs: [m]i64) (is: [n]i64): [n][2]i64 =
  map (\s -> let w = map (\x -> [x, x + 1]) xs in w[s]) is

-- Rows of three dimensions, rows of rows, and slices.
-- ==
-- entry: three
-- input { [0i64, 2i64, 1i64] } output { [[[0i64, 1i64], [1i64, 2i64]], [[2i64, 3i64], [3i64, 4i64]], [[1i64, 2i64], [2i64, 3i64]]] [[1i64, 2i64], [3i64, 4i64], [2i64, 3i64]] }
-- input { [3i64] } error: out of bounds
entry three [n] (is: [n]i64): ([n][2][2]i64, [n][2]i64) =
  let made (s: i64) = tabulate 3 (\i -> tabulate 2 (\j -> [i + j, i + j + s / 9 + 1]))
  in (map (\s -> (made s)[s]) is, map (\s -> (made s)[s, 1]) is)

-- ==
-- entry: windows
-- input { [0i64, 1i64] } output { [[[5i64, 5i64], [6i64, 6i64]], [[6i64, 6i64], [7i64, 7i64]]] [[5i64, 6i64], [7i64, 8i64]] }
-- input { [2i64] } error: out of bounds
entry windows [n] (is: [n]i64): ([n][2][2]i64, [n][2]i64) =
  (map (\s -> let w = tabulate 3 (\i -> replicate 2 (i + 5)) in w[s:s + 2] :> [2][2]i64) is,
   map (\s -> let w = [5 + s, 6 + s, 7 + s] in w[s:s + 2] :> [2]i64) is)

-- The row is passed on.
-- ==
-- entry: passed_on
-- input { [0i64, 1i64, 2i64] } output { [[6i64, 6i64], [7i64, 7i64], [8i64, 8i64]] [10i64, 12i64, 14i64] [[5i64, 5i64, 1i64], [6i64, 6i64, 1i64], [7i64, 7i64, 1i64]] }
entry passed_on [n] (is: [n]i64): ([n][2]i64, [n]i64, [n][3]i64) =
  let made (s: i64): [3][2]i64 = tabulate 3 (\i -> replicate 2 (i + 5 + s / 7))
  in (map (\s -> map (+ 1) (made s)[s]) is,
      map (\s -> i64.sum (made s)[s]) is,
      map (\s -> ((made s)[s] ++ [1]) :> [3]i64) is)

-- A choice of rows, and rows in records.
-- ==
-- entry: chosen
-- input { [0i64, 1i64, 2i64] } output { [[5i64, 5i64], [0i64, 1i64], [7i64, 7i64]] [[5i64, 5i64], [6i64, 6i64], [7i64, 7i64]] [0i64, 1i64, 2i64] }
entry chosen [n] (is: [n]i64): ([n][2]i64, [n]{row: [2]i64, at: i64}) =
  let made (s: i64): [3][2]i64 = tabulate 3 (\i -> replicate 2 (i + 5 + s / 7))
  in (map (\s -> if s % 2 == 0 then (made s)[s] else [0, s]) is,
      map (\s -> {row = (made s)[s], at = s}) is)

-- In a loop, also a row of the array that the loop carries.
-- ==
-- entry: loops
-- input { 0i64 } output { [0i64, 0i64] [[1i64, 2i64], [3i64, 4i64]] }
-- input { 1i64 } output { [5i64, 5i64] [[1i64, 2i64], [2i64, 4i64]] }
-- input { 4i64 } output { [23i64, 23i64] [[4i64, 8i64], [2i64, 4i64]] }
entry loops (k: i64): ([2]i64, [2][2]i64) =
  (loop row = [0, 0] for s < k do let w = tabulate 3 (\i -> map (+ (i + 5)) row) in w[s % 3],
   loop m = [[1, 2], [3, 4]] for s < k do
     let w = [m[0], map (* 2) m[0]] in [w[s % 2], w[(s + 1) % 2]])

-- In the workers of reductions, scans and folds.
-- ==
-- entry: carried
-- input { [0i64, 1i64, 2i64, 1i64] } output { [12i64, 12i64] [[5i64, 5i64], [11i64, 11i64], [18i64, 18i64], [24i64, 24i64]] [24i64, 24i64] }
-- input { empty([0]i64) } output { [0i64, 0i64] empty([0][2]i64) [0i64, 0i64] }
entry carried [n] (is: [n]i64): ([2]i64, [n][2]i64, [2]i64) =
  let made (s: i64): [3][2]i64 = tabulate 3 (\i -> replicate 2 (i + 5 + s / 7))
  let add = map2 (+)
  in (fold (\acc s -> let w = [map (+ s) acc, map (+ (5 + s / 9)) acc] in w[i64.bool (s == 1)])
        [0, 0] is,
      scan add (replicate 2 0) (map (\s -> (made s)[s]) is),
      reduce add (replicate 2 0) (map (\s -> (made s)[s]) is))

-- The worker of a `reduce` takes the row of what it makes: the one with the larger first element.
-- ==
-- entry: largest
-- input { [[1i64, 2i64], [7i64, 8i64], [3i64, 4i64]] } output { [7i64, 8i64] [[1i64, 2i64], [7i64, 8i64], [7i64, 8i64]] }
-- input { empty([0][2]i64) } output { [-9i64, 0i64] empty([0][2]i64) }
-- random input { [3000][2]i64 } auto output
entry largest [n] (xs: [n][2]i64): ([2]i64, [n][2]i64) =
  let larger (a: [2]i64) (b: [2]i64): [2]i64 = let w = [a, b] in w[i64.bool (b[0] > a[0])]
  in (reduce larger [-9, 0] xs, scan larger [-9, 0] xs)

-- Arrays with too many elements to be scalars, and rows whose length only the call tells.
-- ==
-- entry: many
-- input { [0i64, 99i64] 3i64 } output { [[0i64, 1i64, 2i64], [99i64, 100i64, 101i64]] [[0i64, 0i64], [99i64, 99i64]] }
-- input { [100i64] 3i64 } error: out of bounds
entry many [n] (is: [n]i64) (m: i64): ([n][m]i64, [n][2]i64) =
  (map (\s -> let w = tabulate 100 (\i -> tabulate m (\j -> i + j)) in w[s]) is,
   map (\s -> let w = tabulate 100 (\i -> replicate 2 i) in w[s]) is)

-- Elements of other types.
-- ==
-- entry: types
-- input { [0i64, 1i64] } output { [[1u8, 2u8, 3u8], [4u8, 5u8, 0u8]] [[true, false], [false, true]] [[0.5f32], [1.5f32]] }
entry types [n] (is: [n]i64): ([n][3]u8, [n][2]bool, [n][1]f32) =
  (map (\s -> let w = [[1, 2, u8.i64 s + 3], [4, 5, u8.i64 s - 1]] in w[s]) is,
   map (\s -> let w = [[s == 0, false], [s == 0, true]] in w[s]) is,
   map (\s -> let w = [[f32.i64 s + 0.5], [f32.i64 s + 0.5]] in w[s]) is)

-- The whole literal, in another shape: its extents are those of a parameter.
-- ==
-- entry: flat
-- input { [1i64, 2i64] [30i64, 40i64] } output { [[30i64, 40i64, 31i64, 41i64], [30i64, 40i64, 32i64, 42i64]] [[[30i64, 31i64], [40i64, 41i64]], [[30i64, 32i64], [40i64, 42i64]]] }
-- input { [1i64] empty([0]i64) } output { empty([1][0]i64) empty([1][0][2]i64) }
-- input { empty([0]i64) [1i64] } output { empty([0][2]i64) empty([0][1][2]i64) }
entry flat [n] [m] (xs: [n]i64) (ys: [m]i64): ([n][2 * m]i64, [n][m][2]i64) =
  (map (\x -> flatten [ys, map (+ x) ys]) xs, map (\x -> transpose [ys, map (+ x) ys]) xs)

-- A row of rows that are repeated, as one row.
-- ==
-- entry: repeated
-- input { [1i64, 0i64] [30i64, 40i64] [[1i64, 2i64], [3i64, 4i64]] } output { [[30i64, 40i64, 3i64, 4i64], [30i64, 40i64, 1i64, 2i64]] }
-- input { [1i64] empty([0]i64) empty([2][0]i64) } output { empty([1][0]i64) }
-- input { [2i64] [1i64] [[1i64], [2i64]] } error: out of bounds
entry repeated [n] [m] (is: [n]i64) (ys: [m]i64) (mm: [2][m]i64): [n][2 * m]i64 =
  map (\i -> let w = replicate 2 [ys, mm[i]] in flatten w[i]) is
