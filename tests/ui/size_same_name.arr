entry demo [n] [n] (x: i64): i64 = x
def f [n] [n] (xs: [n]i64): i64 = xs[0]
