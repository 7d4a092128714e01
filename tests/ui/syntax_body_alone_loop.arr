def f (x: i64): i64 = x

  let a = 1
  let b = loop s = 0 for x in [a, 2] do s + x
  in a + b

def g (x: i64): i64 = x
