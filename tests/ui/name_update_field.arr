type point = {x: f64, y: f64}

entry main (p: point): point = p with z = 1.0
