type point = {x: f64, y: f64}
def norm (p: point) = p.x
def f (p: point) = norm p 1
