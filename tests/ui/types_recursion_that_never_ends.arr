def f = f + 1
def g = h 1
def h (n: i64): i64 = g + n
