def f(x, y):
  return x + y
def h (x: i64) -> i64 = x
def k (x: i64): i64 = let y := x + 1 in y
def m (x: i64): i64 = y + 1
  where y = x
def o [n] (ys: *[n]i64): *[n]i64 =
  ys[0] = 3
