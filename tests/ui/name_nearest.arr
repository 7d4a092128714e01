type point = {x: f64, y: f64}
def norm (p: piont): f64 = f64.sqr (p.x * p.X + p.z)
def g (p: point): f64 = norn p + f46.sqrt p.y + summ [1.0]
entry demo [num] (xs: [nun]i64): i64 = lenght xs
