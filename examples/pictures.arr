-- Pictures: blurred by the bell curve of C. F. Gauss, and compared in blocks, as films are compressed.
--
-- Shows filters along one dimension after the other, by the library's stencils; a search in each block of a grid, with sums over
-- blocks inside; whole numbers in small types.
--
--     arrc run examples/pictures.arr blurred 1 '[[0, 0, 9], [0, 0, 9]]'

import "stencil"

-- | Seven weights of a bell curve; their sum is 1.
-- ==
-- entry: bell
-- input { 0.0001f32 } output { [0f32, 0f32, 0f32, 1f32, 0f32, 0f32, 0f32] }
-- input { 1000000f32 } output { [0.14285715f32, 0.14285715f32, 0.14285715f32, 0.14285715f32, 0.14285715f32, 0.14285715f32, 0.14285715f32] }
entry bell (sigma: f32): [7]f32 =
  let raw = tabulate 7 (\k -> let x = f32.i64 (k - 3) / sigma in f32.exp (-0.5 * x * x))
  let sum = f32.sum raw
  in map (/ sum) raw

-- | A grey picture smoothed by a bell curve of this width, rows first, then columns. Beyond the edges it is mirrored. Two passes
-- for the weights, and one in each direction.
-- ==
-- entry: blurred
-- "what is even stays even"
-- input { 2f32 [[5f32, 5f32, 5f32], [5f32, 5f32, 5f32]] } output { [[5f32, 5f32, 5f32], [5f32, 5f32, 5f32]] }
-- "a point becomes the product of two bells"
-- input { 1000000f32 [[0f32, 0f32, 0f32, 0f32, 0f32, 0f32, 0f32], [0f32, 0f32, 0f32, 0f32, 0f32, 0f32, 0f32],
--         [0f32, 0f32, 0f32, 0f32, 0f32, 0f32, 0f32], [0f32, 0f32, 0f32, 49f32, 0f32, 0f32, 0f32],
--         [0f32, 0f32, 0f32, 0f32, 0f32, 0f32, 0f32], [0f32, 0f32, 0f32, 0f32, 0f32, 0f32, 0f32],
--         [0f32, 0f32, 0f32, 0f32, 0f32, 0f32, 0f32]] }
-- output { [[1f32, 1f32, 1f32, 1f32, 1f32, 1f32, 1f32], [1f32, 1f32, 1f32, 1f32, 1f32, 1f32, 1f32],
--           [1f32, 1f32, 1f32, 1f32, 1f32, 1f32, 1f32], [1f32, 1f32, 1f32, 1f32, 1f32, 1f32, 1f32],
--           [1f32, 1f32, 1f32, 1f32, 1f32, 1f32, 1f32], [1f32, 1f32, 1f32, 1f32, 1f32, 1f32, 1f32],
--           [1f32, 1f32, 1f32, 1f32, 1f32, 1f32, 1f32]] }
-- input { 1f32 empty([0][3]f32) } output { empty([0][3]f32) }
-- structure { clusters 4 }
entry blurred [h] [w] (sigma: f32) (picture: [h][w]f32): [h][w]f32 =
  let weights = bell sigma
  let smooth at = f32.sum (tabulate 7 (\k -> weights[k] * at (k - 3)))
  in stencil_axis #reflect 0 3 smooth (stencil_axis #reflect 1 3 smooth picture)

-- | How much two blocks of 8 by 8 pixels differ, which begin at (y, x) in a and at (v, u) in b.
def apart [h] [w] (a: [h][w]u8) (b: [h][w]u8) (y: i64) (x: i64) (v: i64) (u: i64): i32 =
  with { ([0, 0] <= [i, j] < [8, 8]) : i32.abs (i32.u8 a[y + i, x + j] - i32.u8 b[v + i, u + j]) }
    : fold (+, 0)

-- | For each block of 8 by 8 pixels, how many rows and columns further the other picture has the most similar one, at most 4,
-- and how far the two are apart. Of blocks that are equally similar it is the first.
-- ==
-- entry: matches
-- input { empty([0][8]u8) empty([0][8]u8) } output { empty([0][1]i64) empty([0][1]i64) empty([0][1]i32) }
-- random input { [16][24]u8 [16][24]u8 } auto output
entry matches [h] [w] (a: [h][w]u8) (b: [h][w]u8): ([][]i64, [][]i64, [][]i32) =
  let better (d: (i32, i64)) (e: (i32, i64)): (i32, i64) =
    if e.0 < d.0 || (e.0 == d.0 && e.1 < d.1) then e else d
  let (m, n) = (h / 8, w / 8)
  let found =
    with { (. <= [k, l] <= .) :
             let (y, x) = (8 * k, 8 * l)
             in with { ([i64.max 0 (y - 4), i64.max 0 (x - 4)] <= [v, u]
                        < [i64.min (h - 7) (y + 5), i64.min (w - 7) (x + 5)]) :
                         (apart a b y x v u, v * w + u) }
                  : fold (better, (i32.highest, 0)) }
      : genarray ([m, n])
  let rows = with { (. <= [k, l] <= .) : found[k, l].1 / w - 8 * k } : genarray ([m, n])
  let columns = with { (. <= [k, l] <= .) : found[k, l].1 % w - 8 * l } : genarray ([m, n])
  in (rows, columns, map (map (.0)) found)
