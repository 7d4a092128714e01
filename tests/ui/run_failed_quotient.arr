-- $ arrc run FILE scaled 3 0
entry scaled (x: i64) (y: i64): i64 =
  let z = x * 2 / y
  in z + 1
