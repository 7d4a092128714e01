  let a = 1
  let b = 2
  let c = let d = a in d + b
  in a + c
def f (x: i64): i64 = x
