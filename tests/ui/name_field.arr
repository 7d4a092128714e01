type point = {x: f64, y: f64}

entry demo (p: point): f64 = p.x + p.z
