foo) p.x entry g (r: f64): f64 = r
