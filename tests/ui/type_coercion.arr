def some [n] (xs: [n]i64) = xs :> [3]f64

def scalar (x: i64) = x :> i32
