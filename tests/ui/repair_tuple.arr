def a [n] (xs: [n]i64) (ys: [n]i64): [n]i64 = map (\x y -> x + y) (zip xs ys)
def b [n] (xs: [n]i64) (ys: [n]i64): [n]i64 = map2 (\(x, y) -> x + y) xs ys
def c [n] (xs: [n]i64) (ys: [n]i64): [n]i64 = map (+) (zip xs ys)
def d [n] (xs: [n]i64) (ys: [n]i64): [n]i64 = map (+) xs ys
def add (x: i64) (y: i64): i64 = x + y
def e (x: i64): i64 = add(x, 1)
def sub (x: i64, y: i64): i64 = x - y
def f (x: i64): i64 = sub x 1
