def f (x: f64) = exp x + f64.sqr 2
