-- $ arrc check --message-format=json FILE
def scale (k: f64) (x: f64): f64 = k * x

entry demo (n: i64) (x: f64): f64 = scale n y
