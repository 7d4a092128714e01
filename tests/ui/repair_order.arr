def a [n] (xs: [n]i64): i64 = reduce 0 (+) xs
def b [n] (xs: [n]i64): [n]i64 = map xs (\x -> x + 1)
def c [n] (xs: [n]i64): i64 = foldl (+) xs 0
def step (x: f64) (k: i64): f64 = x * f64.i64 k
def d (k: i64): f64 = step k 1.5
