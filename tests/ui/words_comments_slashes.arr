// adds one
def f (x: i64): i64 = x + 1

// adds two
def g (x: i64): i64 = x + 2
