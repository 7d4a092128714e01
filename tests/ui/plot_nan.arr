-- $ arrc run --plot out.svg FILE holes 3
-- Infinities and NaN have no place in a picture.
entry holes (n: i64): [n]f64 = map (\i -> f64.i64 i / 0 - f64.inf) (iota n)
