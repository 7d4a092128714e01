type point = {x: f64, y: f64}

entry demo (p: point): point = p with z = 1.0
