-- `xss[i]`, `xss[i, j]` and `xss[i][j]`; `length`, `head` and `last` of arrays of arrays.

-- ==
-- entry: elements
-- input { [[1, 2, 3], [4, 5, 6]] 1i64 2i64 } output { 6 6 }
-- input { [[1, 2, 3], [4, 5, 6]] 0i64 0i64 } output { 1 1 }
-- input { [[1, 2, 3], [4, 5, 6]] 2i64 0i64 } error: index 2 is out of bounds for an array of length 2
-- input { [[1, 2, 3], [4, 5, 6]] 0i64 3i64 } error: index 3 is out of bounds for an array of length 3
-- input { [[1, 2, 3], [4, 5, 6]] -1i64 0i64 } error: index -1 is out of bounds for an array of length 2
-- input { empty([0][3]i32) 0i64 0i64 } error: index 0 is out of bounds for an array of length 0
entry elements [n] [m] (xss: [n][m]i32) (i: i64) (j: i64): (i32, i32) = (xss[i, j], xss[i][j])

-- ==
-- entry: row
-- input { [[1, 2, 3], [4, 5, 6]] 1i64 } output { [4, 5, 6] }
-- input { [[1, 2, 3], [4, 5, 6]] 2i64 } error: index 2 is out of bounds for an array of length 2
entry row [n] [m] (xss: [n][m]i32) (i: i64): [m]i32 = xss[i]

-- A row of an array that is made here outlives it.
-- ==
-- entry: row_of_made
-- input { 3i64 2i64 } output { [20i64, 21i64, 22i64] }
entry row_of_made (n: i64) (i: i64): [n]i64 =
  (generate n (\i -> generate n (\j -> i * 10 + j)))[i]

-- ==
-- entry: row_and_whole
-- input { [[1, 2], [3, 4]] } output { [3, 4] [[2, 3], [4, 5]] [4, 5] }
entry row_and_whole [n] [m] (xss: [n][m]i32): ([m]i32, [n][m]i32, [m]i32) =
  let yss = map (map (+ 1)) xss
  in (xss[1], yss, yss[1])

-- ==
-- entry: sum_of_row
-- input { [[1, 2], [3, 4]] 1i64 } output { 7 }
entry sum_of_row [n] [m] (xss: [n][m]i32) (i: i64): i32 = reduce (+) 0 xss[i]

-- Rows in workers.
-- ==
-- entry: picked_sums
-- input { [[1, 2], [3, 4], [5, 6]] [2i64, 0i64] } output { [11, 3] }
-- input { [[1, 2], [3, 4], [5, 6]] [3i64, 0i64] } error: index 3 is out of bounds
entry picked_sums [n] [m] [k] (xss: [n][m]i32) (is: [k]i64): [k]i32 =
  map (\i -> reduce (+) 0 xss[i]) is

-- ==
-- entry: picked_rows
-- input { [[1, 2], [3, 4], [5, 6]] [2i64, 0i64] } output { [[5, 6], [1, 2]] }
-- input { [[1, 2], [3, 4], [5, 6]] empty([0]i64) } output { empty([0][2]i32) }
entry picked_rows [n] [m] [k] (xss: [n][m]i32) (is: [k]i64): [k][m]i32 = map (\i -> xss[i]) is

-- ==
-- entry: column
-- input { [[1, 2, 3], [4, 5, 6]] 1i64 } output { [2, 5] }
entry column [n] [m] (xss: [n][m]i32) (j: i64): [n]i32 = map (\row -> row[j]) xss

-- ==
-- entry: diagonal
-- input { [[1, 2], [3, 4]] } output { [1, 4] }
entry diagonal [n] (xss: [n][n]i32): [n]i32 = map (\i -> xss[i, i]) (iota n)

-- ==
-- entry: deep
-- input { [[[1, 2], [3, 4]], [[5, 6], [7, 8]]] 1i64 0i64 1i64 } output { 6 6 6 6 [5, 6] [[5, 6], [7, 8]] }
entry deep [a] [b] [c] (xsss: [a][b][c]i32) (i: i64) (j: i64) (k: i64):
    (i32, i32, i32, i32, [c]i32, [b][c]i32) =
  (xsss[i, j, k], xsss[i][j, k], xsss[i, j][k], xsss[i][j][k], xsss[i, j], xsss[i])

-- ==
-- entry: fields
-- input { [[1, 2], [3, 4]] [[1.5, 2.5], [3.5, 4.5]] 1i64 0i64 } output { 3 3.5 [3.5, 4.5] }
entry fields [n] [m] (xss: [n][m]i32) (yss: [n][m]f64) (i: i64) (j: i64): (i32, f64, [m]f64) =
  let ps = map2 (map2 (\x y -> {x, y})) xss yss
  in (ps[i, j].x, ps[i][j].y, map (.y) ps[i])

-- ==
-- entry: lengths
-- input { [[1, 2, 3], [4, 5, 6]] } output { 2i64 3i64 }
-- input { empty([0][3]i32) } output { 0i64 3i64 }
-- input { empty([2][0]i32) } output { 2i64 0i64 }
entry lengths [n] [m] (xss: [n][m]i32): (i64, i64) = (length xss, m)

-- ==
-- entry: ends
-- input { [[1, 2], [3, 4], [5, 6]] } output { [1, 2] [5, 6] 2i64 }
-- input { empty([0][2]i32) } error: index 0 is out of bounds for an array of length 0
entry ends [n] [m] (xss: [n][m]i32): ([m]i32, [m]i32, i64) =
  (head xss, last xss, length (head xss))

-- Positions with rows.
-- ==
-- entry: with_positions
-- input { [[1, 2], [3, 4]] } output { [[0i64, 0i64], [3i64, 4i64]] }
entry with_positions [n] [m] (xss: [n][m]i64): [n][m]i64 =
  map (\(i, row) -> map (* i) row) (indexed xss)

-- A row that is bound outside of a worker and read inside.
-- ==
-- entry: row_in_worker
-- input { [[1, 2], [3, 4]] [1i64, 0i64, 1i64] } output { [4, 3, 4] }
-- input { [[1, 2], [3, 4]] [2i64] } error: index 2 is out of bounds for an array of length 2
entry row_in_worker [n] [m] [k] (xss: [n][m]i32) (js: [k]i64): [k]i32 =
  let row = xss[1]
  in map (\j -> row[j]) js

-- A row that one branch needs whole, and another branch element by element: the rows are computed rows, read from the end.
-- ==
-- entry: sorted_from_the_end
-- input { [[3i32, 1i32, 2i32], [9i32, 8i32, 7i32]] } output { [[8i32, 9i32, 10i32], [2i32, 3i32, 4i32]] }
-- random input { [5][40]i32 } auto output
-- random input { [0][3]i32 } auto output
-- random input { [3][0]i32 } auto output
entry sorted_from_the_end [n] [m] (xss: [n][m]i32): [n][m]i32 =
  reverse (map (\r -> sort (<=) r) (map (\r -> map (+ 1) r) xss))

-- ==
-- entry: chosen_from_the_end
-- input { [[3i32, 1i32, 2i32], [9i32, 8i32, 7i32]] true } output { [[10i32, 19i32, 27i32], [4i32, 6i32, 9i32]] }
-- input { [[3i32, 1i32, 2i32], [9i32, 8i32, 7i32]] false } output { [[20i32, 18i32, 16i32], [8i32, 4i32, 6i32]] }
-- random input { [5][40]i32 true } auto output
-- random input { [5][40]i32 false } auto output
entry chosen_from_the_end [n] [m] (xss: [n][m]i32) (p: bool): [n][m]i32 =
  reverse
    (map (\r -> if p then scan (+) 0 r else tabulate m (\j -> 2 * r[j]))
       (map (\r -> map (+ 1) r) xss))
