def a (x: i64): bool = x /= 2
def b (x: i64): bool = x <> 2
def c (x: f64): f64 = x ^ 2 + 1
def d (x: i64): i64 = x mod 2
def e (x: i64): i64 = x `div` 2
def f [n] (xs: [n]i64): i64 = xs !! 0
def g (x: f64): f64 = f64.sqrt $ x + 1
def h (x: f64): f64 = (f64.sqrt . f64.abs) x
