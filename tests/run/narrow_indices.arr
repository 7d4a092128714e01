-- Index arithmetic in 32 bits, with conversions there and back.

-- ==
-- entry: smooth
-- input { [1.0f32, 3.0f32, 5.0f32, 11.0f32, 5.0f32] } output { [1.0f32, 3.0f32, 6.0f32, 8.0f32, 5.0f32] }
-- input { [4.0f32] } output { [4.0f32] }
-- input { empty([0]f32) } output { empty([0]f32) }
entry smooth [n] (xs: [n]f32): [n]f32 =
  let m = i32.i64 n
  in tabulate n (\i ->
       let k = i32.i64 i
       in if k == 0 || k == m - 1 then xs[i64.i32 k]
          else 0.5 * xs[i64.i32 k] + 0.25 * (xs[i64.i32 (k - 1)] + xs[i64.i32 (k + 1)]))

-- A matrix that is stored flat.
-- ==
-- entry: laplace
-- input { 3i32 4i32 [0i64, 1i64, 2i64, 3i64, 10i64, 11i64, 12i64, 13i64, 20i64, 21i64, 22i64, 30i64] }
-- output { [0i64, 1i64, 2i64, 3i64, 10i64, 0i64, 0i64, 13i64, 20i64, 21i64, 22i64, 30i64] }
-- input { 3i32 3i32 [1i64, 1i64, 1i64, 1i64, 0i64, 1i64, 1i64, 2i64, 1i64] }
-- output { [1i64, 1i64, 1i64, 1i64, 5i64, 1i64, 1i64, 2i64, 1i64] }
-- input { 3i32 4i32 [1i64, 1i64, 1i64] } error: index 3 is out of bounds for an array of length 3
entry laplace [n] (h: i32) (w: i32) (xs: [n]i64): []i64 =
  flatten (tabulate_2d (i64.i32 h) (i64.i32 w) (\i j ->
    let (r, c) = (i32.i64 i, i32.i64 j)
    let at = \r c -> xs[i64.i32 (r * w + c)]
    in if r == 0 || r == h - 1 || c == 0 || c == w - 1 then at r c
       else at (r - 1) c + at (r + 1) c + at r (c - 1) + at r (c + 1) - 4 * at r c))

-- The sums wrap. The wrapped sum is the index.
-- ==
-- entry: wraps
-- input { [7i64, 8i64, 9i64] 2147483647i32 } output { [-1i64, 7i64, 8i64] }
-- input { [7i64, 8i64, 9i64] -2147483648i32 } output { [7i64, 8i64, 9i64] }
entry wraps [n] (xs: [n]i64) (k: i32): [n]i64 =
  tabulate n (\i ->
    let at = i32.i64 i + k - (-2147483648)
    in if at < 0 then -1 else xs[i64.i32 at])

-- The narrow index is made by a map of its own.
-- ==
-- entry: mapped
-- input { [1i64, 3i64, 5i64, 11i64, 5i64] } output { [1i64, 6i64, 14i64, 10i64, 5i64] }
-- input { empty([0]i64) } output { empty([0]i64) }
entry mapped [n] (xs: [n]i64): [n]i64 =
  map (\k ->
    if k > 0 && k < i32.i64 n - 1 then xs[i64.i32 (k - 1)] + xs[i64.i32 (k + 1)] else xs[i64.i32 k])
    (map i32.i64 (iota n))
