-- $ arrc check --strict FILE
entry sums [n] (xs: [n]f64) (ys: [n]f32): (f64, f32) = (f64.sum xs, reduce (+) 0 ys)
entry products [n] (xs: [n]f64) (ys: [n]i64): (f64, i64) = (f64.product xs, reduce (*) 1 ys)
entry extremes [n] (xs: [n]f64) (ys: [n]i32): (f64, f64, i32) =
  (f64.maximum xs, f64.minimum xs, reduce i32.max i32.lowest ys)
entry bits [n] (xs: [n]u32): (u32, u32, u32) = (reduce (&) u32.highest xs, reduce (|) 0 xs, reduce (^) 0 xs)
entry all_any [n] (xs: [n]bool): (bool, bool) = (reduce (&&) true xs, reduce (||) false xs)
entry matrices [n] (xs: [n](f64, f64, f64, f64)): (f64, f64, f64, f64) =
  let times (a, b, c, d) (e, f, g, h) = (a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)
  in reduce times (1, 0, 0, 1) xs
entry recurrence [n] (xs: [n](f64, f64)): [n](f64, f64) =
  scan (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) xs
entry farthest [n] (xs: [n](i64, f64)): (i64, f64) =
  reduce (\(i, x) (j, y) -> if x >= y then (i, x) else (j, y)) (-1, f64.lowest) xs
entry segmented [n] (xs: [n](bool, i64)): [n](bool, i64) =
  scan (\(p, x) (q, y) -> (p || q, if q then y else x + y)) (false, 0) xs
entry rows [n] [m] (xss: [n][m]f64): [m]f64 = reduce (map2 (+)) (replicate m 0) xss
entry folded [n] (xs: [n]i64): i64 = fold (\x y -> x - y) 0 xs
entry counted [n] (xs: [n]i64): i64 = count (> 0) xs
entry last_of [n] (xs: [n]i64): #some i64 | #none =
  let later (a: #some i64 | #none) (b: #some i64 | #none): #some i64 | #none =
    match b case #some _ -> b case #none -> a
  in reduce later #none (map (\x -> if x > 2 then #some x else #none) xs)
