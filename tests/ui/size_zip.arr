entry f [n] (xs: [n]i64): [](i64, i64) = zip xs (filter (> 0) xs)
entry g [n] (xs: [n]i64): [](i64, i64) = zip xs (iota 10)
entry h [n] (xs: [n]i64): i64 = reduce (+) 0 (map2 (*) xs xs[1:])
