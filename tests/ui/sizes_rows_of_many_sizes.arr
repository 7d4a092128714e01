def f [n] (xs: [n]i64) = map (\x -> iota x) xs
def g [n] (xs: [n]i64) = map (\x -> filter (> x) xs) xs
