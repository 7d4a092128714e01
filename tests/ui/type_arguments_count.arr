def scale (k: f64) (x: f64): f64 = k * x
entry a (x: f64): f64 = scale x
entry b (x: f64): f64 = scale x x x
entry c [n] (xs: [n]f64): [n]f64 = map scale xs
entry d [n] (xs: [n]f64): f64 = reduce scale xs
entry e [n] (xs: [n]f64): f64 = f64.sum xs xs
