def distance (x: f64) (y: f64): f64 = f64.sqrt (x * x + y * y)

entry demo (x: f64) (y: f64): f64 =
  let total = x + y
  in distanse x y + totl + z
