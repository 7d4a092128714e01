-- $ arrc run --link external_fails.c FILE f 2 [3.0,1.0,-1.0]
external log_of (x: f64): f64
def sum_of (n: i64) (x: f64): f64 = if n <= 0 then log_of x else 1 + sum_of (n - 1) x
entry f [n] (k: i64) (xs: [n]f64): f64 = reduce (+) 0 (map (sum_of k) xs)
