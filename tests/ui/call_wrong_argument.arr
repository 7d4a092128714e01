-- What depends on a call with a wrong argument is not told.
entry a (x: i64): f64 =
  let y = i64.max true x
  let z = f64.sqrt y
  in z
