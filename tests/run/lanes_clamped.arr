-- Loops in steps that read elements at positions with limits, as filters of images do at the edges.

def clamp (low: i64) (high: i64) (x: i64): i64 = i64.max low (i64.min high x)

-- ==
-- entry: box
-- input { [[1.0, 2.0], [3.0, 4.0]] 1i64 } output { [[18.0, 21.0], [24.0, 27.0]] }
-- random input { [4][37]f64 1i64 } auto output
-- random input { [1][20]f64 11i64 } auto output
-- input { empty([0][3]f64) 1i64 } output { empty([0][3]f64) }
-- input { empty([2][0]f64) 1i64 } output { empty([2][0]f64) }
entry box [h] [w] (img: [h][w]f64) (r: i64): [h][w]f64 =
  tabulate_2d h w (\y x ->
    f64.sum (map f64.sum (tabulate_2d (2 * r + 1) (2 * r + 1) (\dy dx ->
      img[clamp 0 (h - 1) (y + dy - r), clamp 0 (w - 1) (x + dx - r)]))))

-- A vector holds more bytes than doubles. The limits are arguments, which may lie outside of the array.
-- ==
-- entry: between
-- random input { 0i64 44i64 [45]u8 5i64 } auto output
-- random input { 3i64 20i64 [45]u8 5i64 } auto output
-- random input { 20i64 3i64 [45]u8 5i64 } auto output
-- random input { 44i64 44i64 [45]u8 5i64 } auto output
-- random input { 0i64 45i64 [45]u8 5i64 } error: index 45 is out of bounds for an array of length 45
-- random input { -1i64 44i64 [45]u8 5i64 } error: index -1 is out of bounds for an array of length 45
-- random input { 0i64 -7i64 [45]u8 5i64 } error: index -7 is out of bounds for an array of length 45
entry between [n] (low: i64) (high: i64) (xs: [n]u8) (r: i64): [n]u32 =
  tabulate n
    (\i -> loop s = 0u32 for d < r do s * 31 + u32.u8 xs[i64.min high (i64.max low (i + d - 2))])

-- Only one side has a limit, and the position wraps around.
-- ==
-- entry: below
-- random input { 0i64 [40]i32 } auto output
-- random input { 1i64 [40]i32 } error: index 40 is out of bounds for an array of length 40
-- input { 9223372036854775800i64 [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20] }
-- error: index 9223372036854775800 is out of bounds
entry below [n] (k: i64) (xs: [n]i32): [n]i32 =
  tabulate n (\i -> loop s = 0 for d < 3 do s + xs[i64.max 0 (i + k - d)])

-- Loops of different lengths: lanes that have ended read nothing.
-- ==
-- entry: before
-- random input { [61]i64 [61]i64 } auto output
-- input { [0i64, 0i64, 2i64] [1i64, 2i64, 3i64] } output { [0i64, 0i64, 5i64] }
entry before [n] (counts: [n]i64) (xs: [n]i64): [n]i64 =
  tabulate n (\i -> i64.sum (map (\d -> xs[clamp 0 (n - 1) (i - d)]) (iota (counts[i] % 7))))

-- A position that changes in jumps, between limits.
-- ==
-- entry: jumping
-- random input { [61]i64 } auto output
entry jumping [n] (xs: [n]i64): [n]i64 =
  tabulate n
    (\i -> loop s = 0 for d < 4 do s + xs[clamp 0 (n - 1) (if i % 5 < 3 then i + d else i - d)])
