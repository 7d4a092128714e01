type point = {x: f64, y: f64}
def f (p: pont) (x: a) = p.x
