-- Rows that are summed in the steps of a pass, of every length around those of vectors.

-- ==
-- entry: sums_f64 sums_f32
-- input { 70 } auto output
entry sums_f64 (most: i64): [most][3]f64 =
  tabulate most (\m ->
    let a = tabulate_2d 3 m (\i j -> f64.i64 ((i * 31 + j * 7) % 13 - 5))
    in map (\row -> f64.sum (map2 (\x y -> (x - y) * x) row a[0]) + f64.i64 m) a)

entry sums_f32 (most: i64): [most][3]f32 =
  tabulate most (\m ->
    let a = tabulate_2d 3 m (\i j -> f32.i64 ((i * 31 + j * 7) % 13 - 5))
    in map (\row -> f32.sum (map2 (\x y -> (x - y) * x) row a[0]) + f32.i64 m) a)

-- ==
-- entry: sums_of
-- random input { [6][70]i64 [6][70]i32 [6][70]u8 [6][70]bool } auto output
entry sums_of [n] [w] (a: [n][w]i64) (b: [n][w]i32) (c: [n][w]u8)
    (d: [n][w]bool): [w][n](i64, i32, u8, bool) =
  tabulate w (\m ->
    map4 (\r s t u -> (i64.sum (map2 (*) r a[1, :m]), i32.product (map (| 1) s), u8.sum t, and u))
      a[:, :m] b[:, :m] c[:, :m] d[:, :m])

-- ==
-- entry: extremes
-- random input { [6][70]f64 [6][70]f32 [6][70]i16 } auto output
entry extremes [n] [w] (a: [n][w]f64) (b: [n][w]f32) (c: [n][w]i16): [w][n](f64, f32, i16) =
  tabulate w (\m ->
    map3
      (\r s t -> (reduce f64.max (-f64.inf) r, reduce f32.min f32.inf s, reduce i16.max (-30000) t))
      a[:, :m] b[:, :m] c[:, :m])

-- Zeros of either sign, and values that are no numbers.
-- ==
-- entry: zeros
-- input { [[-0.0, -0.0, -0.0], [-0.0, 0.0, -0.0], [nan, 1.0, 2.0], [inf, 1.0, -inf]] } auto output
-- input { [[-0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0], [-0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, 0.0, -0.0]] } auto output
entry zeros [n] [w] (a: [n][w]f64): [n](f64, f64, f64) =
  map (\r -> (f64.sum r, reduce (+) (-0.0) r, reduce f64.min f64.inf r)) a
