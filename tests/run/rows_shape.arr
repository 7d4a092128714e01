-- The same elements in other shapes: `flatten`, `unflatten`, `transpose`.

-- ==
-- entry: flat
-- input { [[1, 2, 3], [4, 5, 6]] } output { [1, 2, 3, 4, 5, 6] }
-- input { empty([0][3]i32) } output { empty([0]i32) }
-- input { empty([3][0]i32) } output { empty([0]i32) }
entry flat [n] [m] (xss: [n][m]i32): [n * m]i32 = flatten xss

-- ==
-- entry: flat_made
-- input { 2i64 } output { [0i64, 1i64, 2i64, 10i64, 11i64, 12i64] 36i64 }
entry flat_made (n: i64): ([n * 3]i64, i64) =
  let xs = flatten (generate n (\i -> generate 3 (\j -> i * 10 + j)))
  in (xs, reduce (+) 0 xs)

-- ==
-- entry: cut
-- input { 2i64 } output { [[0i64, 1i64, 2i64], [3i64, 4i64, 5i64]] }
-- input { 0i64 } output { empty([0][3]i64) }
entry cut (n: i64): [n][3]i64 = unflatten (iota (n * 3))

-- ==
-- entry: there_and_back
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[2, 3, 4], [5, 6, 7]] }
-- input { empty([2][0]i32) } output { empty([2][0]i32) }
entry there_and_back [n] [m] (xss: [n][m]i32): [n][m]i32 =
  unflatten (map (+ 1) (flatten xss))

-- ==
-- entry: reshaped
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[1, 2], [3, 4], [5, 6]] }
entry reshaped [n] [m] (xss: [n][m]i32): [m][n]i32 = unflatten (flatten xss)

-- ==
-- entry: flat_3d
-- input { [[[1, 2], [3, 4]], [[5, 6], [7, 8]]] } output { [1, 2, 3, 4, 5, 6, 7, 8] [[[1, 2], [3, 4]], [[5, 6], [7, 8]]] }
-- input { empty([2][0][1]i32) } output { empty([0]i32) empty([2][0][1]i32) }
entry flat_3d [a] [b] [c] (xsss: [a][b][c]i32): ([a * b * c]i32, [a][b][c]i32) =
  let xs = flatten_3d xsss
  in (xs, unflatten_3d xs)

-- ==
-- entry: flat_outer
-- input { [[[1, 2], [3, 4]], [[5, 6], [7, 8]]] } output { [[1, 2], [3, 4], [5, 6], [7, 8]] [[1, 2, 3, 4], [5, 6, 7, 8]] }
entry flat_outer [a] [b] [c] (xsss: [a][b][c]i32): ([a * b][c]i32, [a][b * c]i32) =
  (flatten xsss, map flatten xsss)

-- ==
-- entry: cut_inside
-- input { [[1, 2, 3, 4], [5, 6, 7, 8]] } output { [[[1, 2], [3, 4]], [[5, 6], [7, 8]]] }
entry cut_inside [n] (xss: [n][4]i32): [n][2][2]i32 = map unflatten xss

-- ==
-- entry: flat_pairs
-- input { [[1, 2], [3, 4]] [[true, false], [false, true]] } output { [1, 2, 3, 4] [true, false, false, true] }
entry flat_pairs [n] [m] (xss: [n][m]i32) (bss: [n][m]bool): ([n * m]i32, [n * m]bool) =
  unzip (flatten (map2 zip xss bss))

-- The product of the sizes in another order is the same size.
-- ==
-- entry: flat_both_ways
-- input { [[1, 2, 3], [4, 5, 6]] } output { [0, 2, -1, 1, -2, 0] }
entry flat_both_ways [n] [m] (xss: [n][m]i32): [n * m]i32 =
  map2 (-) (flatten (transpose xss)) (flatten xss)

-- ==
-- entry: transposed
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[1, 4], [2, 5], [3, 6]] }
-- input { empty([0][3]i32) } output { empty([3][0]i32) }
-- input { empty([3][0]i32) } output { empty([0][3]i32) }
-- input { [[1]] } output { [[1]] }
entry transposed [n] [m] (xss: [n][m]i32): [m][n]i32 = transpose xss

-- ==
-- entry: transposed_rows
-- input { [[[1, 2], [3, 4]], [[5, 6], [7, 8]]] } output { [[[1, 2], [5, 6]], [[3, 4], [7, 8]]] [[[1, 3], [2, 4]], [[5, 7], [6, 8]]] }
entry transposed_rows [a] [b] [c] (xsss: [a][b][c]i32): ([b][a][c]i32, [a][c][b]i32) =
  (transpose xsss, map transpose xsss)

-- ==
-- entry: column_sums
-- input { [[1, 2, 3], [4, 5, 6]] } output { [5, 7, 9] }
-- input { empty([0][3]i32) } output { [0, 0, 0] }
entry column_sums [n] [m] (xss: [n][m]i32): [m]i32 = map (reduce (+) 0) (transpose xss)

def dot [n] (xs: [n]f64) (ys: [n]f64): f64 = f64.sum (map2 (*) xs ys)

def matmul [n] [m] [k] (a: [n][m]f64) (b: [m][k]f64): [n][k]f64 =
  let columns = transpose b
  in map (\row -> map (dot row) columns) a

-- ==
-- entry: product
-- input { [[1.0, 2.0], [3.0, 4.0]] [[5.0, 6.0], [7.0, 8.0]] } output { [[19.0, 22.0], [43.0, 50.0]] }
-- input { [[1.0, 2.0, 3.0]] [[1.0], [2.0], [3.0]] } output { [[14.0]] }
-- input { empty([0][2]f64) [[5.0, 6.0], [7.0, 8.0]] } output { empty([0][2]f64) }
-- input { empty([2][0]f64) empty([0][2]f64) } output { [[0.0, 0.0], [0.0, 0.0]] }
entry product [n] [m] [k] (a: [n][m]f64) (b: [m][k]f64): [n][k]f64 = matmul a b

-- ==
-- entry: powers
-- input { [[1.0, 1.0], [1.0, 0.0]] } output { [[5.0, 3.0], [3.0, 2.0]] }
entry powers [n] (a: [n][n]f64): [n][n]f64 = matmul (matmul a a) (matmul a a)

-- ==
-- entry: flat_4d
-- input { [[[[1, 2]], [[3, 4]]]] } output { [1, 2, 3, 4] [[[[1, 2]], [[3, 4]]]] }
-- input { empty([2][0][1][3]i32) } output { empty([0]i32) empty([2][0][1][3]i32) }
entry flat_4d [a] [b] [c] [d] (xs: [a][b][c][d]i32): ([a * b * c * d]i32, [a][b][c][d]i32) =
  let ys = flatten_4d xs
  in (ys, unflatten_4d ys)
