-- `reduce` and `fold` that carry arrays along.

-- ==
-- entry: column_sums
-- input { [[1, 2, 3], [4, 5, 6]] } output { [5, 7, 9] }
-- input { empty([0][3]i32) } output { [0, 0, 0] }
-- input { empty([2][0]i32) } output { empty([0]i32) }
entry column_sums [n] [m] (xss: [n][m]i32): [m]i32 =
  reduce (map2 (+)) (replicate m 0) xss

-- ==
-- entry: shifted
-- input { [1i64, 2i64, 3i64] } output { [7i64, 8i64, 9i64] }
-- input { empty([0]i64) } output { empty([0]i64) }
entry shifted [n] (xs: [n]i64): [n]i64 = fold (\acc x -> map (+ x) acc) xs xs

-- The initial value, as it is given.
-- ==
-- entry: unchanged
-- input { [1, 2] empty([0]i32) } output { [1, 2] }
-- input { [1, 2] [5, 6] } output { [1, 2] }
entry unchanged [n] [m] (z: [n]i32) (xs: [m]i32): [n]i32 = fold (\acc _ -> acc) z xs

-- The last row.
-- ==
-- entry: last_row
-- input { [[1, 2], [3, 4]] } output { [3, 4] }
-- input { empty([0][2]i32) } output { [9, 9] }
entry last_row [n] [m] (xss: [n][m]i32): [m]i32 = fold (\_ row -> row) (replicate m 9) xss

-- Arrays and scalars in one accumulator.
-- ==
-- entry: sums_and_count
-- input { [[1, 2], [3, 4], [5, 6]] } output { [9, 12] 3 [1, 2] }
entry sums_and_count [n] [m] (xss: [n][m]i32): ([m]i32, i32, [m]i32) =
  fold (\(sums, count, first) row ->
    (map2 (+) sums row, count + 1, if count == 0 then row else first))
    (replicate m 0, 0, replicate m 0) xss

-- ==
-- entry: matrices
-- input { [[[1, 2], [3, 4]], [[10, 20], [30, 40]]] } output { [[11, 22], [33, 44]] }
-- input { empty([0][1][2]i32) } output { [[0, 0]] }
entry matrices [a] [b] [c] (xsss: [a][b][c]i32): [b][c]i32 =
  reduce (map2 (map2 (+))) (replicate b (replicate c 0)) xsss

-- Inside of a worker.
-- ==
-- entry: in_workers
-- input { [[[1, 2], [3, 4]], [[10, 20], [30, 40]]] } output { [[4, 6], [40, 60]] }
-- input { empty([2][0][3]i32) } output { [[0, 0, 0], [0, 0, 0]] }
entry in_workers [a] [b] [c] (xsss: [a][b][c]i32): [a][c]i32 =
  map (\xss -> reduce (map2 (+)) (replicate c 0) xss) xsss

-- Over a filtered array.
-- ==
-- entry: filtered
-- input { [[1, 2], [-3, 4], [5, 6]] } output { [6, 8] }
-- input { [[-1, 2]] } output { [0, 0] }
entry filtered [n] [m] (xss: [n][m]i32): [m]i32 =
  reduce (map2 (+)) (replicate m 0) (filter (\row -> row[0] > 0) xss)

-- Of rows that are made on the way.
-- ==
-- entry: of_made
-- input { 4i64 } output { [6i64, 12i64, 18i64] }
entry of_made (n: i64): [3]i64 =
  reduce (map2 (+)) [0, 0, 0] (generate n (\i -> [i, 2 * i, 3 * i]))

-- ==
-- entry: histogram
-- input { [0i64, 2i64, 2i64, 1i64, 2i64] } output { [1, 1, 3] }
entry histogram [n] (xs: [n]i64): [3]i32 =
  fold (\counts x -> map2 (\i c -> if i == x then c + 1 else c) (iota 3) counts)
    (replicate 3 0) xs

-- An error on the way leaves nothing behind.
-- ==
-- entry: failing
-- input { [1, 2, 4] [1, 2] } output { [1, 2] }
-- input { [1, 0, 4] [1, 2] } error: division by zero
entry failing [n] [m] (xs: [n]i32) (z: [m]i32): [m]i32 =
  fold (\acc x -> map (\y -> y * x / x) acc) z xs

-- Which of two arrays is kept, is known at run time.
-- ==
-- entry: largest
-- input { [[1, 2], [3, 4], [2, 2]] } output { [3, 4] }
entry largest [n] [m] (xss: [n][m]i32): [m]i32 =
  fold (\a b -> if reduce (+) 0 a > reduce (+) 0 b then a else b) (replicate m (-100)) xss

-- Each prefix is an array.
-- ==
-- entry: prefixes
-- input { [[1, 2], [3, 4], [5, 6]] } output { [[1, 2], [4, 6], [9, 12]] [[0, 0], [1, 2], [4, 6]] }
-- input { empty([0][2]i32) } output { empty([0][2]i32) empty([0][2]i32) }
entry prefixes [n] [m] (xss: [n][m]i32): ([n][m]i32, [n][m]i32) =
  (scan (map2 (+)) (replicate m 0) xss, exscan (map2 (+)) (replicate m 0) xss)

-- As many rows as each is long: the result of the fold is no stream of its steps all the same.
-- ==
-- entry: square_columns
-- input { [[1i64, 2i64], [3i64, 4i64]] } output { [5i64, 7i64] }
-- input { [[5i64]] } output { [6i64] }
-- input { empty([0][0]i64) } output { empty([0]i64) }
entry square_columns [n] (a: [n][n]i64): [n]i64 =
  map (+ 1) (reduce (map2 (+)) (replicate n 0) a)

-- ==
-- entry: square_kept
-- input { [[1i64, 2i64], [3i64, 4i64]] true } output { [4i64, 6i64] [3i64, 7i64] [7i64, 13i64] }
-- input { [[1i64, 2i64], [3i64, 4i64]] false } output { empty([0]i64) [3i64, 7i64] [7i64, 13i64] }
-- structure square_kept ilp { clusters 2 }
entry square_kept [n] (a: [n][n]i64) (b: bool): ([]i64, [n]i64, [n]i64) =
  let xs = reduce (map2 (+)) (replicate n 0) a
  let sums = map i64.sum a
  in (filter (\_ -> b) xs, sums, map2 (+) xs sums)

-- Each plane has other rows.
-- ==
-- entry: planes
-- random input { [5][2][1]f64 } auto output
-- random input { [9][2][17]f64 } auto output
-- random input { [70][2][33]f64 } auto output
-- random input { [3][2][300]f64 } auto output
-- input { empty([0][2][3]f64) } auto output
entry planes [n] [m] (b: [n][2][m]f64): ([n][2]f64, [n][2]f64) =
  (map (\p -> map f64.maximum p) b, map (\p -> map (\r -> reduce f64.min 0 (map (* 2) r)) p) b)

-- ==
-- entry: tall_planes
-- random input { [3][40][17]i64 } auto output
-- random input { [2][9][300]i64 } auto output
entry tall_planes [n] [h] [m] (b: [n][h][m]i64): ([n][h]i64, [n][h]i64) =
  (map (\p -> map i64.maximum p) b, map (\p -> map (\r -> fold (\a x -> a * 3 + x) 1 r) p) b)
