type pair [n] 'a = [n](a, a)
def f (x: pair) (y: pair [2] i64 f64) (z: f64 i64) = x
