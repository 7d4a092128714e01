type point = {x: f64, y: f64}
def f (p: point) = p with x = true
