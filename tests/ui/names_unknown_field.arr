type point = {x: f64, y: f64}
def f (p: point) = p.z + (p, 1).2 + (1).x
