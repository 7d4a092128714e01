-- An argument is missing where `mid` is bound: that is told once.
def lerp (a: f64) (b: f64) (t: f64): f64 = a + (b - a) * t

entry middle (x: f64): f64 =
  let mid = lerp 0 1
  let a = mid + x
  let b = f64.sqrt mid
  in a + b - mid
