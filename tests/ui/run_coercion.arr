-- $ arrc run FILE equal [1,2] [3]
entry equal [n] [m] (xs: [n]i64) (ys: [m]i64): [n]i64 = map2 (+) xs (ys :> [n]i64)
