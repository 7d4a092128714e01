entry one (x: i64): i64 =
  let y = x + 1
  y * 2
entry two (x: i64): i64 = y
