entry demo (x: i64): i64 =
  let apply f = f f
  in x
