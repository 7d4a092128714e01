-- Making arrays of arrays: `generate`, `replicate`, literals, `tabulate_2d`.

-- ==
-- entry: table
-- input { 2i64 3i64 } output { [[0i64, 1i64, 2i64], [10i64, 11i64, 12i64]] }
-- input { 0i64 3i64 } output { empty([0][3]i64) }
-- input { 2i64 0i64 } output { empty([2][0]i64) }
-- input { 1i64 -1i64 } error: negative
-- input { -1i64 1i64 } error: negative
entry table (n: i64) (m: i64): [n][m]i64 = generate n (\i -> generate m (\j -> i * 10 + j))

-- No row is made, but the type of the matrix says how long they are.
-- ==
-- entry: no_rows
-- input { 0i64 1i64 } output { 0i64 }
-- input { 0i64 -1i64 } error: negative
entry no_rows (n: i64) (m: i64): i64 = length (generate n (\i -> replicate m i))

-- ==
-- entry: table_2d
-- input { 2i64 3i64 } output { [[0i64, 1i64, 2i64], [10i64, 11i64, 12i64]] }
entry table_2d (n: i64) (m: i64): [n][m]i64 = tabulate_2d n m (\i j -> i * 10 + j)

-- ==
-- entry: table_3d
-- input { 1i64 2i64 3i64 } output { [[[0i64, 1i64, 2i64], [10i64, 11i64, 12i64]]] }
-- input { 1i64 0i64 3i64 } output { empty([1][0][3]i64) }
entry table_3d (a: i64) (b: i64) (c: i64): [a][b][c]i64 =
  tabulate_3d a b c (\i j k -> i * 100 + j * 10 + k)

-- ==
-- entry: replicated
-- input { 2i64 [1, 2, 3] } output { [[1, 2, 3], [1, 2, 3]] }
-- input { 0i64 [1, 2, 3] } output { empty([0][3]i32) }
-- input { 2i64 empty([0]i32) } output { empty([2][0]i32) }
entry replicated [m] (n: i64) (xs: [m]i32): [n][m]i32 = replicate n xs

-- ==
-- entry: zeros
-- input { 2i64 3i64 } output { [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]] }
entry zeros (n: i64) (m: i64): [n][m]f64 = replicate n (replicate m 0)

-- ==
-- entry: counted
-- input { 2i64 } output { [[0i64, 1i64, 2i64], [0i64, 1i64, 2i64]] }
entry counted (n: i64): [n][3]i64 = map (\_ -> iota 3) (iota n)

-- ==
-- entry: literal
-- input { 5 } output { [[5, 2], [3, 6]] }
entry literal (x: i32): [2][2]i32 = [[x, 2], [3, x + 1]]

-- ==
-- entry: literal_of_arrays
-- input { [1, 2] [3, 4] } output { [[1, 2], [3, 4], [1, 2]] }
-- input { empty([0]i32) empty([0]i32) } output { empty([3][0]i32) }
entry literal_of_arrays [n] (xs: [n]i32) (ys: [n]i32): [3][n]i32 = [xs, ys, xs]

-- ==
-- entry: literal_of_tuples
-- input { 1 } output { [1, 3] [true, false] }
entry literal_of_tuples (x: i32): ([2]i32, [2]bool) = unzip [(x, true), (x + 2, false)]

-- ==
-- entry: literal_of_records
-- input { 1.5 } output { [1.5, 3.0] [2.0, 4.0] }
entry literal_of_records (x: f64): ([2]f64, [2]f64) =
  let ps = [{x, y = 2.0}, {y = 4.0, x = x * 2}]
  in (map (.x) ps, map (.y) ps)

-- ==
-- entry: literal_of_rows_and_scalars
-- input { [1, 2] } output { [[1, 2], [2, 3]] [10, 20] }
entry literal_of_rows_and_scalars [n] (xs: [n]i32): ([2][n]i32, [2]i32) =
  unzip [(xs, 10), (map (+ 1) xs, 20)]

-- ==
-- entry: literal_3d
-- input { 1 } output { [[[1, 2]], [[3, 4]], [[5, 6]]] }
entry literal_3d (x: i32): [3][1][2]i32 = [[[x, 2]], [[3, 4]], [[5, 6]]]

-- The empty literal has rows of the size that its type says.
-- ==
-- entry: nothing
-- input { 3i64 } output { empty([0][3]i32) }
entry nothing (m: i64): [0][m]i32 = []

-- ==
-- entry: nothing_and_more
-- input { [[1, 2]] } output { [[1, 2]] }
entry nothing_and_more [n] [m] (xss: [n][m]i32): [n][m]i32 = [] ++ xss

-- The rows' size is a sum or a product of sizes.
-- ==
-- entry: larger_rows
-- input { 2i64 3i64 } output { [[0i64, 1i64, 2i64, 3i64], [0i64, 1i64, 2i64, 3i64]] }
entry larger_rows (n: i64) (m: i64): [n][m + 1]i64 = map (\_ -> iota (m + 1)) (iota n)

-- ==
-- entry: product_rows
-- input { 2i64 3i64 } output { [[0i64, 1i64, 2i64, 3i64, 4i64, 5i64], [0i64, 1i64, 2i64, 3i64, 4i64, 5i64]] }
-- input { 0i64 3i64 } output { empty([0][0]i64) }
entry product_rows (n: i64) (m: i64): [n][n * m]i64 = map (\_ -> iota (n * m)) (iota n)

-- ==
-- entry: triangle
-- input { 3i64 } output { [[1, 0, 0], [1, 1, 0], [1, 1, 1]] }
entry triangle (n: i64): [n][n]i32 = tabulate_2d n n (\i j -> if j <= i then 1 else 0)

-- What is made of each element of the flat matrix may itself be a row.
-- ==
-- entry: rows_of_elements
-- input { [1i64, 2i64] [true, false, true] } output { [2i64, 3i64, 3i64, 4i64] 12i64 }
-- input { empty([0]i64) [true] } output { empty([0]i64) 0i64 }
entry rows_of_elements [n] [m] (xs: [n]i64) (flags: [m]bool): ([]i64, i64) =
  let sums = flatten (map (\x -> map (+ x) xs) xs)
  let rows = map (\s -> map (\flag -> if flag then s else 0) flags) sums
  in (sums, i64.sum (map i64.maximum rows))
