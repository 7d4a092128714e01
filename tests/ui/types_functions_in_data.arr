def f = [\x -> x + 1]
def g (xs: [3]i64) = map (\x -> (+ x)) xs
def h c = if c then (+ 1) else (+ 2)
def i (fs: [2](i64 -> i64)) = 1
