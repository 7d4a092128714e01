entry demo [n] (xs: [n]i64): [n]i64 = map \x -> x + 1 xs
