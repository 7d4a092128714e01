def f (x: i64): i64
  x + 1
def g (x: i64)
  let y = x
  in y
def h (x: i64): i64 x + 1
entry e (x: i64): bool = f x + g x + h x
