type point = {x: f64, y: f64}

entry main (p: point): f64 = (\{x, z} -> x + z) p
