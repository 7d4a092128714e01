def a [n] (xs: [n]i64): i64 = xs [0]
def b [n] (xs: [n]i64): i64 = xs(0)
