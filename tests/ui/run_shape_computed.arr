-- $ arrc run FILE add [1,2] [1] [1,2,3,4,5,6,7]
entry add (xs: []i64) (ys: []i64) (zs: []i64): []i64 = map2 (+) zs (xs ++ ys)
