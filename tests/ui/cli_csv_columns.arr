-- $ arrc run FILE total @points.csv:x @points.csv:height @points.csv:name
entry total [n] (xs: [n]f64) (ys: [n]f64) (zs: [n]f64): f64 = reduce (+) 0 (map3 (\x y z -> x + y + z) xs ys zs)
