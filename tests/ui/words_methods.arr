def a [n] (xs: [n]i64): [n]i64 = xs.map(\x -> x + 1)
def b [n] (xs: [n]i64): i64 = xs.length + 1
def c [n] (xs: [n]i64): i64 = xs.len()
def d (x: f64): f64 = x.sqrt()
def e [n] (xs: [n]i64): i64 = xs.iter().sum()
