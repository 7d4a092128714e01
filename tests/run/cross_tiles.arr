-- Folds of all pairs: in tiles, where the arrays are long enough.

-- ==
-- entry: pairs
-- random input { [0]f64 [0]f64 [0]f64 [0]f64 } auto output
-- random input { [0]f64 [0]f64 [9]f64 [9]f64 } auto output
-- random input { [9]f64 [9]f64 [0]f64 [0]f64 } auto output
-- random input { [1]f64 [1]f64 [1]f64 [1]f64 } auto output
-- random input { [3]f64 [3]f64 [8]f64 [8]f64 } auto output
-- random input { [4]f64 [4]f64 [8]f64 [8]f64 } auto output
-- random input { [4]f64 [4]f64 [7]f64 [7]f64 } auto output
-- random input { [5]f64 [5]f64 [9]f64 [9]f64 } auto output
-- random input { [4]f64 [4]f64 [16]f64 [16]f64 } auto output
-- random input { [8]f64 [8]f64 [17]f64 [17]f64 } auto output
-- random input { [9]f64 [9]f64 [23]f64 [23]f64 } auto output
-- random input { [13]f64 [13]f64 [31]f64 [31]f64 } auto output
-- random input { [17]f64 [17]f64 [64]f64 [64]f64 } auto output
-- random input { [67]f64 [67]f64 [67]f64 [67]f64 } auto output
entry pairs [n] [m] (xs: [n]f64) (ys: [n]f64) (us: [m]f64) (vs: [m]f64): (f64, f64, i64) =
  let distance ((x, y), (u, v)) = (x - u) * (x - u) + (y - v) * (y - v)
  let ds = map distance (cross (zip xs ys) (zip us vs))
  in (minimum ds, maximum ds, reduce (+) 0 (map (\d -> i64.bool (d < 0.1)) ds))

-- ==
-- entry: wide
-- random input { [0]i32 [0]u8 } auto output
-- random input { [0]i32 [9]u8 } auto output
-- random input { [9]i32 [0]u8 } auto output
-- random input { [1]i32 [1]u8 } auto output
-- random input { [3]i32 [8]u8 } auto output
-- random input { [4]i32 [8]u8 } auto output
-- random input { [4]i32 [7]u8 } auto output
-- random input { [5]i32 [9]u8 } auto output
-- random input { [4]i32 [16]u8 } auto output
-- random input { [8]i32 [17]u8 } auto output
-- random input { [9]i32 [23]u8 } auto output
-- random input { [13]i32 [31]u8 } auto output
-- random input { [17]i32 [64]u8 } auto output
-- random input { [67]i32 [67]u8 } auto output
entry wide [n] [m] (xs: [n]i32) (us: [m]u8): (i32, i64, u8, bool) =
  let all = cross xs us
  in (reduce (+) 0 (map (\(x, u) -> x * i32.u8 u) all),
      reduce (^) 0 (map (\(x, u) -> i64.i32 x + i64.u8 u) all),
      maximum (map (\(x, u) -> u8.i32 x & u) all),
      reduce (||) false (map (\(x, u) -> x == i32.u8 u) all))

-- ==
-- entry: places
-- random input { [0]i64 [0]i64 } auto output
-- random input { [0]i64 [9]i64 } auto output
-- random input { [9]i64 [0]i64 } auto output
-- random input { [1]i64 [1]i64 } auto output
-- random input { [3]i64 [8]i64 } auto output
-- random input { [4]i64 [8]i64 } auto output
-- random input { [4]i64 [7]i64 } auto output
-- random input { [5]i64 [9]i64 } auto output
-- random input { [4]i64 [16]i64 } auto output
-- random input { [8]i64 [17]i64 } auto output
-- random input { [9]i64 [23]i64 } auto output
-- random input { [13]i64 [31]i64 } auto output
-- random input { [17]i64 [64]i64 } auto output
-- random input { [67]i64 [67]i64 } auto output
entry places [n] [m] (xs: [n]i64) (us: [m]i64): i64 =
  let all = cross (indexed (map (* 3) xs)) (indexed (map (+ 1) us))
  in reduce i64.max i64.lowest
       (map (\((i, x), (j, u)) -> if i == j then 0 else (x ^ u) + i - j) all)

-- NaN and zeros of both signs.
-- ==
-- entry: odd_numbers
-- input { [f64.nan, 0.0, -0.0, 1.0, 0.0] [1.0, 0.0, 1.0, 1.0, -1.0, 1.0, 1.0, 1.0, 0.0, 1.0] } output { true false }
-- input { [f64.nan, f64.nan, f64.nan, f64.nan] [1.0, 0.0, 1.0, 1.0, -1.0, 1.0, 1.0, 1.0, 0.0, 1.0] } output { false false }
entry odd_numbers [n] [m] (xs: [n]f64) (ys: [m]f64): (bool, bool) =
  let all = map (\(x, y) -> x * y) (cross xs ys)
  let least = reduce f64.min f64.inf (map f64.abs all)
  let most = reduce f64.max (-1) (map (\x -> -(f64.abs x)) (filter (== 0) all))
  in (1 / least > 0 && least == 0, 1 / most > 0)

-- ==
-- entry: extremes
-- input { [1.0f32, f32.nan, -0.0f32, 0.0f32, 3.0f32, f32.nan, 2.0f32] } output { -f32.inf 3.0f32 }
-- random input { [67]f32 } auto output
-- random input { [64]f32 } auto output
-- random input { [3]f32 } auto output
-- random input { [129]f32 } auto output
entry extremes [n] (xs: [n]f32): (f32, f32) =
  (1 / minimum (map f32.abs xs |> map (\x -> if x == 0 then -x else x)), maximum xs)
