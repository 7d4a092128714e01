# adds one
def f (x: i64): i64 = x + 1  # so it is
def g (x: i64): i64 = x + 2  # and two
