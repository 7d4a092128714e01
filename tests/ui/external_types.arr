external root (f: f64 -> f64) (start: f64): f64
external adder (n: i64): i64 -> i64
external first 'a [n] (xs: [n]a): a
external half (x)
external size (xs: [n]f64): i64
entry f (x: f64): f64 = x
