-- What threads.c calls with several threads.

entry total [n] (xs: [n]f64): f64 = reduce (+) 0.0 xs

entry scaled [n] (by: f64) (xs: [n]f64): [n]f64 = map (\x -> x * by + 1.0) xs

entry picked [n] [m] (xs: [n]f64) (is: [m]i64): [m]f64 = map (\i -> xs[i]) is

entry row_sums [n] [m] (xss: [n][m]f64): [n]f64 = map f64.sum xss
