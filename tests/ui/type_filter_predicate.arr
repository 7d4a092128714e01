entry demo [n] (xs: [n]i64): ?[k].[k]i64 = filter (+ 1) xs
