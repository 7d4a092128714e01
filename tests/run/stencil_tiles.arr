-- Stencils whose rows are made four at a time: fewer rows, rows that are left over, rows shorter than a vector, and last vectors that overlap.

-- ==
-- entry: sum_of_nine
-- random input { [0][5]f32 } auto output
-- random input { [1][40]f32 } auto output
-- random input { [5][2]f32 } auto output
-- random input { [5][20]f32 } auto output
-- random input { [6][33]f32 } auto output
-- random input { [7][18]f32 } auto output
-- random input { [9][17]f32 } auto output
-- random input { [12][70]f32 } auto output
-- random input { [33][100]f32 } auto output
entry sum_of_nine [h] [w] (x: [h][w]f32): [h][w]f32 =
  tabulate_2d h w (\r c ->
    if r < 1 || c < 1 || r >= h - 1 || c >= w - 1 then x[r, c]
    else
      f32.sum (flatten (tabulate_2d 3 3 (\i j -> x[r + i - 1, c + j - 1]))))

-- Two arrays, integers, and neighbours on one side only.
-- ==
-- entry: two_arrays
-- random input { [5][11]i64 [5][11]i64 } auto output
-- random input { [6][10]i64 [6][10]i64 } auto output
-- random input { [11][9]i64 [11][9]i64 } auto output
-- random input { [14][75]i64 [14][75]i64 } auto output
entry two_arrays [h] [w] (x: [h][w]i64) (y: [h][w]i64): [h][w]i64 =
  tabulate_2d h w (\r c ->
    if r + 2 < h && c + 2 < w then
      x[r, c] + x[r, c + 1] - x[r + 1, c] + x[r + 1, c + 2] * 3 - x[r + 2, c] - x[r + 2, c + 1]
      + y[r + 1, c + 1] + r - c
    else 7)

-- Edges of the library, and weights that the caller gives.
-- ==
-- entry: edges
-- random input { [3][3]f64 [4][9]f64 } auto output
-- random input { [3][3]f64 [5][8]f64 } auto output
-- random input { [3][3]f64 [10][25]f64 } auto output
-- random input { [3][3]f64 [19][66]f64 } auto output
import "stencil"
entry edges [h] [w] (k: [3][3]f64) (x: [h][w]f64): ([h][w]f64, [h][w]f64, [h][w]f64, [h][w]f64) =
  let step boundary =
    stencil_2 boundary 1 (\at ->
      k[0, 0] * at (-1) (-1) + k[0, 1] * at (-1) 0 + k[0, 2] * at (-1) 1 + k[1, 0] * at 0 (-1)
      + k[1, 1] * at 0 0 + k[1, 2] * at 0 1 + k[2, 0] * at 1 (-1) + k[2, 1] * at 1 0
      + k[2, 2] * at 1 1) x
  in (step #clamp, step #wrap, step #reflect, step (#constant 2))

-- A stencil of a stencil, and rows of planes.
-- ==
-- entry: of_planes
-- random input { [2][6][21]f64 } auto output
-- random input { [3][9][17]f64 } auto output
-- random input { [5][14][40]f64 } auto output
entry of_planes [d] [h] [w] (x: [d][h][w]f64): [d][h][w]f64 =
  tabulate_3d d h w (\p r c ->
    if p < 1 || r < 1 || c < 1 || p >= d - 1 || r >= h - 1 || c >= w - 1 then x[p, r, c]
    else
      x[p - 1, r, c] + x[p + 1, r, c] + x[p, r - 1, c - 1] + x[p, r - 1, c] + x[p, r - 1, c + 1]
      + x[p, r, c - 1]
      + x[p, r, c] + x[p, r, c + 1] + x[p, r + 1, c - 1] + x[p, r + 1, c] + x[p, r + 1, c + 1])

-- ==
-- entry: gradient
-- random input { [6][20]f32 } auto output
-- random input { [13][37]f32 } auto output
-- random input { [30][100]f32 } auto output
entry gradient [h] [w] (x: [h][w]f32): [h][w]f32 =
  let inside r c = r >= 1 && c >= 1 && r < h - 1 && c < w - 1
  let y = tabulate_2d h w (\r c ->
    if inside r c then
      f32.sum (flatten (tabulate_2d 3 3 (\i j -> x[r + i - 1, c + j - 1]))) / 9
    else 0)
  in tabulate_2d h w (\r c ->
       if inside r c then
         let u =
           y[r - 1, c + 1] - y[r - 1, c - 1] + 2 * (y[r, c + 1] - y[r, c - 1]) + y[r + 1, c + 1]
           - y[r + 1, c - 1]
         let v =
           y[r + 1, c - 1] - y[r - 1, c - 1] + 2 * (y[r + 1, c] - y[r - 1, c]) + y[r + 1, c + 1]
           - y[r - 1, c + 1]
         in u * u + v * v
       else 0)

-- The bounds of a row's columns depend on the row.
-- ==
-- entry: triangle
-- random input { [9][30]f64 } auto output
-- random input { [21][40]f64 } auto output
entry triangle [h] [w] (x: [h][w]f64): [h][w]f64 =
  tabulate_2d h w (\r c ->
    if r < 1 || c < r || r >= h - 1 || c >= w - 1 then 0
    else
      x[r - 1, c - 1] + x[r - 1, c] + x[r - 1, c + 1] + x[r, c - 1] + x[r, c + 1] + x[r + 1, c - 1]
      + x[r + 1, c])
