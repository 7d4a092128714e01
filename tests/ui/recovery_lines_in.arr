entry f (x: i64): i64 =
  let y = x + 1
  let z = y * 2
  y + z
entry g (x: i64): i64 = y
