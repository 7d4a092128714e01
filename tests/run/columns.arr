-- Rows that read columns of a matrix. All rows are made in strips where a column takes more room than a cache has for it. The distance of rows
-- of [65][1024]f64 is a power of two, so 65 elements of a column are too many; those of [66][1000]f64 are not.

-- ==
-- entry: transposed
-- random input { [65][1024]f64 } auto output
-- random input { [129][512]f64 } auto output
-- random input { [66][1000]f64 } auto output
-- random input { [3][8]f64 } auto output
-- input { empty([0][4096]f64) } auto output
-- input { empty([700][0]f64) } output { empty([0][700]f64) }
-- structure { clusters 1 arrays 0 allocated 1 }
entry transposed [n] [m] (a: [n][m]f64): [m][n]f64 =
  with { (. <= [i, j] <= .) : a[j, i] } : genarray ([m, n], 0)

-- ==
-- entry: with_transposed
-- random input { [1024][80]f64 [80][1024]f64 } auto output
-- random input { [20][4]f64 [4][20]f64 } auto output
entry with_transposed [n] [m] (a: [n][m]f64) (b: [m][n]f64): [n][m]f64 =
  map2 (map2 (\x y -> x - 2 * y)) a (transpose b)

-- Narrow elements.
-- ==
-- entry: narrow
-- random input { [33][8192]i16 } auto output
entry narrow [n] [m] (a: [n][m]i16): [m][n]i16 =
  with { (. <= [i, j] <= .) : 3 * a[j, i] + i16.i64 j } : genarray ([m, n], 0)

-- A step that may fail keeps its order: it is in no strip.
-- ==
-- entry: fails
-- random input { [65][1024]i64 [1024]i64 } auto output
entry fails [n] [m] (a: [n][m]i64) (by: [m]i64): [m][n]i64 =
  with { (. <= [i, j] <= .) : a[j, i] // (1 + (by[i] & 3)) } : genarray ([m, n], 0)
