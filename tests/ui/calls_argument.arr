type point = {x: f64, y: f64}
def move (p: point) (by: f64) = p with x = p.x + by
def f (n: i64) = move {x = 1, y = 2} n
def g (n: i64) = f64.sqrt n
