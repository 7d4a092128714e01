type point = {x: f64, y: f64}
entry sum (p: point f64): f64 = p.x + p.y
