#so
def f (x: i64): i64 = x + 1
