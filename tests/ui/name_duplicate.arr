def scale (x: f64): f64 = 2 * x

def scale (x: f64) (k: f64): f64 = k * x

type pair = (f64, f64)
type pair = (i64, i64)

entry demo (x: f64): f64 = scale x
