external twice_of (x: i64): i64

entry twice [n] (xs: [n]i64): [n]i64 = map (\x -> twice_of x) xs
