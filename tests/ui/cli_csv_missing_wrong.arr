-- $ arrc run --missing=none FILE total @holes.csv:x
entry total [n] (xs: [n]f64): f64 = f64.sum xs
