def scale (x: f64): f64 = x * 2

entry demo (x: f64): f64 =
  let scale = scale x
  let other y = y + scale
  in other 1

entry other (x: f64): f64 = scale x
