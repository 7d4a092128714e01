def f (x: i64): i64 = return x + 1
def g (x: i64): i64 =
  let y = x + 1
  return y
