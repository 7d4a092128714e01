def f (xs: [3]i32) = xs == xs
def g = (\x -> x) != id
def h (a: (i64, [2]bool)) = a == a
def i 'a (x: a) = x == x
