def half (x: f64): f64 = x / 2
entry call (n: i64): f64 = half (n + 1)
entry field (n: i64): f64 = (\(p: {x: f64}) -> p.x) {x = n}
entry annotated (n: i64): f64 = (n : f64) + 1
entry chosen (n: i64) (xs: []f64): f64 = if n > 0 then f64.sum xs else n
entry indexed [m] (xs: [m]f64) (w: f64): f64 = xs[w]
entry elements [m] (ns: [m]i64): f64 = f64.sum ns
