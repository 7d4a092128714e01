def twice [k] (f: i64 -> [k]i64): i64 = length (f 1)
entry demo [n] (xs: [n]i64): i64 = twice (\x -> filter (> x) xs)
