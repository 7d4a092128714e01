entry f (x: f64): f64 = loop y = x for i < x do y + 1.0
