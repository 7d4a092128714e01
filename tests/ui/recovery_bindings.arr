entry e (x: i64): i64 =
  let f (y: i64) = y +
  let g y = f y
  let (a, b = (1, 2)
  let c d
  in g x + a + b + c
