entry demo (n: i64): i64 =
  let rows = unflatten (iota (n * 4))
  in length rows
