def clamp (low: f64) (high: f64) (x: f64): f64 = f64.max low (f64.min high x)
entry a (x: f64): f64 = clamp 0 x
entry b (x: f64): f64 = clamp x
entry c [n] (xs: [n]f64): [n]f64 = map (clamp 0) xs
entry d (x: f64): f64 = clamp 0 1 x + clamp 0 1
