def a [n] (xs: [n]i64): i64 = len(xs)
def b [n] (xs: [n]i64) (ys: [n]i64): [n]i64 = zipWith (+) xs ys
def c (n: i64): [n]i64 = range(n)
def d [n] (xs: [n]f64): [n+1]f64 = append xs 1.0
def e (x: i64): i64 = print x
def f (x: i64): i64 = null
def g (x: i64): #some i64 | #none = Just x
