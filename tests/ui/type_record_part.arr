type point = {x: f64, y: f64}
def norm (p: point): f64 = p.x
entry demo (x: i64): f64 = norm {x = 1.5, y = x} + norm {x = 1.0}
