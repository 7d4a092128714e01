-- $ arrc run FILE dot [1,2,3] [4,5]
entry dot [n] (xs: [n]f64) (ys: [n]f64): f64 = reduce (+) 0 (map2 (*) xs ys)
