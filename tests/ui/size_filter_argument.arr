entry demo [n] (xs: [n]i64): []i64 = map2 (+) (filter (> 0) xs) xs
