-- What threads.c calls with several threads.

entry total [n] (xs: [n]f64): f64 = reduce (+) 0.0 xs

entry scaled [n] (by: f64) (xs: [n]f64): [n]f64 = map (\x -> x * by + 1.0) xs

entry picked [n] [m] (xs: [n]f64) (is: [m]i64): [m]f64 = map (\i -> xs[i]) is

entry row_sums [n] [m] (xss: [n][m]f64): [n]f64 = map f64.sum xss

entry parts [n] (xs: [n]f64): ?[m].?[k].([m]f64, [k]f64, f64) =
  let high = filter (> 0.0) xs
  let low = filter (< -49.0) xs
  in (map (* 2.0) high, low, reduce (+) 0.0 high)

entry kept_rows [n] [m] (least: f64) (xss: [n][m]f64): ?[k].[k][m]f64 =
  filter (\xs -> f64.sum xs > least) xss

entry kept_picks [n] [m] (xs: [n]f64) (is: [m]i64): ?[k].[k]f64 =
  filter (> 0.0) (map (\i -> xs[i]) is)

entry sums [n] (xs: [n]f64): ([n]f64, f64) =
  let sums = scan (+) 0.0 xs
  in (map2 (\s x -> s * 2.0 - x) sums xs, reduce f64.max 0.0 sums)

entry counts [n] (xs: [n]f64): [n]i64 = exscan (+) 0 (map (\x -> if x > 0.0 then 2 else 1) xs)

entry kept_sums [n] (xs: [n]f64): ?[m].[m]f64 = scan (+) 0.0 (filter (> 0.0) xs)

entry picked_sums [n] [m] (xs: [n]f64) (is: [m]i64): [m]f64 = scan (+) 0.0 (map (\i -> xs[i]) is)

entry forever [n] (xs: [n]f64): f64 =
  loop sum = 0.0 while sum != -1.0 do f64.abs sum + reduce (+) 0.0 (map (* 0.5) xs)

entry spin (n: i64): i64 = loop x = n while x != 0 do (x * 5 + 1) | 1

entry in_order (n: i64): f64 = fold (\a i -> a * 0.5 + f64.i64 i) 0.0 (iota n)

entry at_once (n: i64): f64 = reduce (+) 0.0 (map (\i -> f64.sqrt (f64.i64 i)) (iota n))

-- A loop of scalars that counts.
entry counted (n: i64): f64 = loop s = 0.0 for i < n do s * 0.5 + f64.i64 i

-- Inner loops whose trip counts are data.
entry roots [n] (ks: [n]i64): [n]f64 =
  map (\k -> loop s = 1.0 for j < k do f64.sqrt s + f64.exp (f64.i64 j)) ks
