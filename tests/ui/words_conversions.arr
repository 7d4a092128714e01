def a (x: i64): f64 = x as f64
def b (x: i64): f64 = (double)x
def c (x: i64): f64 = f64(x)
def d (x: f64): i64 = int(x)
def e (x: i32): f64 = fromIntegral x
