def f
def g (x: i64)
def h (x: i64): i64 =
def i (x: i6
entry e (x: i64): i64 = f x + g x + h x + i x + j x
