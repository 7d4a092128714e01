def dot [n] (xs: [n]f64) (ys: [n]f64): f64 = reduce (+) 0 (map2 (*) xs ys)

entry demo [a] [b] (xs: [a]f64) (ys: [b]f64): f64 = dot xs ys
