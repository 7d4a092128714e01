-- Arrays that are read by index: they are computed where they are read, or are streams at the step's own position.

-- ==
-- entry: reversed
-- input { [1.0, 2.0, 3.0] } output { [10.0, 5.0, 2.0] }
-- input { empty([0]f64) } output { empty([0]f64) }
-- allocates 1
-- structure ilp { clusters 1 } none { clusters 2 }
entry reversed [n] (xs: [n]f64): [n]f64 = reverse (map (\x -> x * x + 1) xs)

-- ==
-- entry: turned
-- input { 1i64 [1.0, 2.0, 3.0] } output { [5.0, 10.0, 2.0] }
-- input { -1i64 [1.0, 2.0, 3.0] } output { [10.0, 2.0, 5.0] }
-- input { 1i64 empty([0]f64) } output { empty([0]f64) }
-- allocates 1
-- structure ilp { clusters 1 }
entry turned [n] (r: i64) (xs: [n]f64): [n]f64 = rotate r (map (\x -> x * x + 1) xs)

-- ==
-- entry: across
-- input { [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] } output { [[2.0, 5.0], [3.0, 6.0], [4.0, 7.0]] }
-- input { empty([0][3]f64) } output { empty([3][0]f64) }
-- allocates 1
entry across [h] [w] (xs: [h][w]f64): [w][h]f64 = transpose (map (map (+ 1)) xs)

-- What is added to a row is computed for each element.
-- ==
-- entry: across_shifted
-- input { [[1.0, 2.0], [4.0, 5.0]] [10.0, 20.0] } output { [[11.0, 24.0], [12.0, 25.0]] }
-- allocates 1
entry across_shifted [h] [w] (xs: [h][w]f64) (s: [h]f64): [w][h]f64 =
  transpose (map2 (\row k -> map (+ k) row) xs s)

-- The sums of rows are not computed for each element: the rows are stored.
-- ==
-- entry: across_shares
-- input { [[1.0, 3.0], [2.0, 2.0]] } output { [[0.25, 0.5], [0.75, 0.5]] }
-- allocates 2
entry across_shares [h] [w] (xs: [h][w]f64): [w][h]f64 =
  transpose (map (\row -> let s = f64.sum row in map (/ s) row) xs)

-- ==
-- entry: rows_upside_down
-- input { [[1.0, 3.0], [2.0, 2.0]] } output { [[0.5, 0.5], [0.25, 0.75]] }
-- allocates 1
entry rows_upside_down [h] [w] (xs: [h][w]f64): [h][w]f64 =
  reverse (map (\row -> let s = f64.sum row in map (/ s) row) xs)

-- Neighbours differ: both are computed in one pass.
-- ==
-- entry: differences
-- input { [1.0, 2.0, 4.0] } output { 15.0 }
-- input { [1.0] } output { 0.0 }
-- input { empty([0]f64) } error: negative size
-- structure ilp { clusters 1 }
entry differences [n] (xs: [n]f64): f64 =
  let p = map (\x -> x * x) xs
  in f64.sum (map2 (-) (tail p) (init p))

-- ==
-- entry: smoothed
-- input { [1.0, 2.0, 3.0, 4.0] } output { [1.0, 4.666666666666667, 9.666666666666666, 16.0] }
-- input { [3.0] } output { [9.0] }
-- allocates 1
-- structure ilp { clusters 1 }
entry smoothed [n] (xs: [n]f64): [n]f64 =
  let p = map (\x -> x * x) xs
  in tabulate n (\i -> if i == 0 || i == n - 1 then p[i] else (p[i - 1] + p[i] + p[i + 1]) / 3)

-- A producer that takes long is stored.
-- ==
-- entry: smoothed_sines
-- input { [0.0, 0.0, 0.0] } output { [0.0, 0.0, 0.0] }
-- allocates 2
-- structure ilp { clusters 2 }
entry smoothed_sines [n] (xs: [n]f64): [n]f64 =
  let p = map f64.sin xs
  in tabulate n (\i -> if i == 0 || i == n - 1 then p[i] else (p[i - 1] + p[i] + p[i + 1]) / 3)

-- Computing it again is cheaper than storing it, and reading it back.
-- ==
-- entry: centred
-- input { [1.0, 2.0, 3.0] } output { [-2.0, 0.0, 2.0] }
-- allocates 1
-- structure ilp { clusters 2 } greedy { clusters 2 }
entry centred [n] (xs: [n]f64): [n]f64 =
  let p = map (* 2) xs
  let mean = f64.sum p / f64.i64 n
  in map (\x -> x - mean) p

-- ==
-- entry: first_of
-- input { [1i64, 2i64] } output { [4i64, 5i64] }
-- input { empty([0]i64) } error: index 0
-- structure ilp { clusters 1 }
entry first_of [n] (xs: [n]i64): [n]i64 =
  let ys = map (+ 1) xs
  in map (+ ys[0]) ys

-- An index is checked against the array that was written, though it is not there.
-- ==
-- entry: out_of_bounds
-- input { 0i64 [1i64, 2i64] } output { [2i64, 3i64] }
-- input { 1i64 [1i64, 2i64] } error: index 2 is out of bounds for an array of length 2
-- input { -1i64 [1i64, 2i64] } error: index -1 is out of bounds for an array of length 2
entry out_of_bounds [n] (k: i64) (xs: [n]i64): [n]i64 =
  let ys = map (+ 1) xs
  in generate n (\i -> ys[i + k])

-- The same of what reads no array.
-- ==
-- entry: counted_out_of_bounds
-- input { 3i64 0i64 } output { [0i64, 1i64, 4i64] }
-- input { 3i64 1i64 } error: index 3 is out of bounds for an array of length 3
-- input { 3i64 -2i64 } error: index -2 is out of bounds for an array of length 3
-- input { 0i64 -2i64 } output { empty([0]i64) }
entry counted_out_of_bounds (n: i64) (k: i64): [n]i64 =
  let ys = tabulate n (\i -> i * i)
  in generate n (\i -> ys[i + k])

-- ==
-- entry: rows_out_of_bounds
-- input { 2i64 3i64 0i64 } output { [[0i64, 1i64, 2i64], [10i64, 11i64, 12i64]] }
-- input { 2i64 3i64 1i64 } error: index 3 is out of bounds for an array of length 3
entry rows_out_of_bounds (h: i64) (w: i64) (k: i64): [h][w]i64 =
  let ys = tabulate_2d h w (\i j -> 10 * i + j)
  in tabulate_2d h w (\i j -> ys[i, j + k])

-- A table that each step of a loop looks into is stored.
-- ==
-- entry: tables
-- input { [2i64, 0i64, 1i64] [5i64, 6i64, 7i64] } output { [60i64, 62i64, 60i64] }
-- allocates 2
entry tables [n] [m] (is: [n]i64) (xs: [m]i64): [n]i64 =
  let squares = map (\x -> x * x % 13) xs
  in map (\i -> squares[i] + i64.sum (map (\x -> x) xs) + loop s = 0 for j < m do s + squares[j]) is

-- Both are streams at the step's own position.
-- ==
-- entry: in_order
-- input { [1.0, 4.0] [1.0, 2.0] } output { [3.0, 3.0] 3.0 }
-- allocates 1
-- structure ilp { clusters 1 }
entry in_order [n] (xs: [n]f64) (ys: [n]f64): ([n]f64, f64) =
  let p = map f64.sqrt xs
  in (tabulate n (\i -> p[i] + ys[n - 1 - i]), f64.sum p)

-- ==
-- entry: rows_in_order
-- input { [[1.0, 4.0], [9.0, 16.0]] } output { [[0.0, 2.0], [3.0, 8.0]] [3.0, 7.0] }
-- structure ilp { clusters 1 }
entry rows_in_order [h] [w] (xs: [h][w]f64): ([h][w]f64, [h]f64) =
  let p = map (map f64.sqrt) xs
  in (tabulate_2d h w (\i j -> p[i, j] * f64.i64 (i + j)), map f64.sum p)

-- ==
-- entry: loop_in_order
-- input { [1.0, 4.0] } output { 2.5 }
-- input { empty([0]f64) } output { 0.0 }
-- structure ilp { clusters 1 }
entry loop_in_order [n] (xs: [n]f64): f64 =
  let p = map f64.sqrt xs
  in loop acc = 0.0 for i < n do acc * 0.5 + p[i]

-- A row that is read by another row's step is computed there; an index inside it is checked there.
-- ==
-- entry: rows_behind
-- input { [1i64, 2i64, 3i64] 1i64 } output { [9i64, 12i64, 15i64] }
-- input { [1i64, 2i64, 3i64] 4i64 } output { empty([0]i64) }
-- input { [1i64, 2i64, 3i64] 5i64 } error: slice
-- structure ilp { clusters 1 }
entry rows_behind [n] (xs: [n]i64) (k: i64): []i64 =
  let rows = map (\r -> reverse r) (generate 4 (\i -> map (+ i) xs))
  in map i64.sum rows[k:]

-- An array that is changed in place behind its last reader stays so: what was computed of it before is stored.
-- ==
-- entry: changed_behind
-- input { [1i64, 2i64, 3i64] } output { [100i64, 3i64, 6i64] [12i64, 6i64, 2i64] }
-- allocates 3
-- structure ilp { clusters 2 }
entry changed_behind [n] (xs: [n]i64): ([n]i64, [n]i64) =
  let a = scan (+) 0 xs
  let p = map (* 2) a
  let b = a with [0] = 100
  in (b, reverse p)

-- An index that an expression computes is checked behind it.
-- ==
-- entry: turned_rows
-- input { 2i64 3i64 } output { [[1i64, 11, 21], [0, 10, 20]] }
-- input { 2i64 0i64 } output { empty([2][0]i64) }
-- input { 0i64 3i64 } output { empty([0][3]i64) }
entry turned_rows (n: i64) (k: i64): [n][k]i64 =
  transpose (map reverse (generate k (\i -> generate n (\j -> 10 * i + j))))

-- ==
-- entry: beyond_rows
-- input { 2i64 3i64 1i64 } output { [[1i64, 11, 21], [0, 10, 20]] }
-- input { 2i64 3i64 2i64 } error: index 2 is out of bounds for an array of length 2
entry beyond_rows (n: i64) (k: i64) (last: i64): [n][k]i64 =
  let rows = generate k (\i -> generate n (\j -> 10 * i + j))
  let turned = map (\row -> generate n (\j -> row[last - j])) rows
  in generate n (\j -> generate k (\i -> turned[i, j]))
