def a [n] (xs: [n]i64): i64 = reduce (+) xs
def b [n] (xs: [n]i64): [n]i64 = scan (*) xs
def c [n] (xs: [n]f64): f64 = reduce f64.max xs
