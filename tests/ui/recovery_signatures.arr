entry e(x: i64, y: i64): i64 = x + y
entry f(x: i64) -> i64 = x
entry g (x: i64): i64 = { return x }
def h x: i64, y: i64 = x
