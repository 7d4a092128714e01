def add (x: i64) (x: i64): i64 = x

def first (a: i64, a: i64): i64 = a

entry demo [n] [n] (xs: [n]i64): {y: i64, y: i64} = {y = 1, y = 2}
