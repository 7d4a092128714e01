entry demo (x: i64): i64 =
  let fs = [(+ 1), (* 2)]
  in fs[0] x
