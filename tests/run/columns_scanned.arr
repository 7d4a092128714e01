-- Scans of columns.

-- Sums of all elements above and to the left.
-- ==
-- entry: integral
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[1, 3, 6], [5, 12, 21]] }
-- input { [[1]] } output { [[1]] }
-- input { empty([0][3]i64) } output { empty([0][3]i64) }
-- input { empty([3][0]i64) } output { empty([3][0]i64) }
-- random input { [20][37]i64 } auto output
-- random input { [300][3]i64 } auto output
-- structure integral { clusters 1 arrays 0 }
entry integral [h] [w] (a: [h][w]i64): [h][w]i64 =
  transpose (map (scan (+) 0) (transpose (map (scan (+) 0) a)))

-- The greatest of the squares above each element, but not of its own; inside of the steps of another map.
-- ==
-- entry: above
-- input { [[[1i32, -7i32], [3i32, 2i32], [9i32, 9i32]]] } output { [[[5i32, 5i32], [5i32, 49i32], [9i32, 49i32]]] }
-- random input { [3][20][5]i32 } auto output
-- input { empty([2][0][5]i32) } output { empty([2][0][5]i32) }
entry above [k] [h] [w] (as: [k][h][w]i32): [k][h][w]i32 =
  map (\a -> transpose (map (\c -> exscan i32.max 5 (map (\x -> x * x) c)) (transpose a))) as

-- The results are read as columns besides.
-- ==
-- entry: both
-- input { [[1u8, 2u8], [100u8, 200u8], [200u8, 100u8]] } output { [[1u8, 2u8], [101u8, 202u8], [45u8, 46u8]] [147u8, 250u8] }
-- random input { [19][18]u8 } auto output
entry both [h] [w] (a: [h][w]u8): ([h][w]u8, [w]u8) =
  let columns = map (scan (+) 0) (transpose a)
  in (transpose columns, map u8.sum columns)

-- Rows that are added and kept.
-- ==
-- entry: running
-- input { [[1.0, 2.0], [0.5, 0.25], [-1.5, 4.0]] } output { [[1.0, 2.0], [1.5, 2.25], [0.0, 6.25]] }
entry running [h] [w] (a: [h][w]f64): [h][w]f64 = transpose (map (scan (+) 0) (transpose a))

-- Rows of the scanned columns are reduced, and nothing else reads them.
-- ==
-- entry: rows_of_scans
-- input { [[1, 2, 3], [4, 5, 6], [7, 8, 9]] } output { [6, 21, 45] }
-- input { empty([0][3]i64) } output { empty([0]i64) }
-- random input { [33][20]i64 } auto output
-- structure rows_of_scans { allocated 2 }
entry rows_of_scans [h] [w] (a: [h][w]i64): [h]i64 =
  map (reduce (+) 0) (transpose (map (scan (+) 0) (transpose a)))
