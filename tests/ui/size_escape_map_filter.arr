entry demo [n] (xs: [n]i64): i64 = length (map (\x -> filter (> x) xs) xs)
