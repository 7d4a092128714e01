-- No code is proposed that would not compile.
def a [n] (m: i64) (xs: [n]f64): [n]f64 = xs - m
def b [n] (k: i64) (xs: [n]f64) (ys: [k]f64): [n]f64 = xs * ys
def c [n] (xs: [n]f64): f64 = -xs
def d [n] (xs: [n]f64): [n]f64 = 1 / (1 + xs)
