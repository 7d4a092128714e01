def f = y
def g (x: bool) = x + 1
def h: i64 = true
