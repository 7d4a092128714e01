-- $ arrc run FILE both [1, 2]
entry both [n] (xs: [n]i64) (ys: [n]i64): i64 = reduce (+) 0 (map2 (*) xs ys)
