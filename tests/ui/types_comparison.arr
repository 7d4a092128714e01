def f (xs: [3](i32 -> i32)) = xs == xs
def g = (\x -> x) != id
def h (a: (i64, i64 -> i64)) = a == a
def i 'a (x: a) = x == x
def j 'a [n] (x: [n]a) = x != x
