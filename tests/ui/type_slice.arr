def some [n] (xs: [n]i64) (i: i32) = xs[i:]

def scalar (x: i64) = x[1:2]

def deep [n] (xs: [n]i64) = xs[1, 2:3]
