entry demo [n] (xs: [n]i64): i64 = length (fold (\acc x -> acc ++ [x]) [] xs)
