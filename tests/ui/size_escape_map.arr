entry demo [n] (xs: [n]i64): i64 = length (map (\x -> iota x) xs)
