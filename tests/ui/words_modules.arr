def a (x: f64): f64 = sqrt x + 1
def b (x: i64) (y: i64): i64 = max x y
def c (x: f32): f32 = exp x
def d (x: f64): f64 = 2 * pi * x
def e (x: f64): f64 = Math.sqrt x
