entry demo (t: (i64, i64)): i64 =
  let (a, b, c) = t
  in a + b + c
