entry literal [n] (xs: [n]i64): [n]u8 = map (\x: u8 -> x) xs
entry sizes [n] (xs: [n]i64): ?[k].[k]i64 = (\(ys: [n]i64): [n]i64 -> filter (> 0) ys) xs
entry mark [n] (xs: [n]i64): [n]i64 = (\(ys: [n]i64): *[n]i64 -> ys) xs
entry arrow [n] (xs: [n]i64): [n]i64 = map (\x: i64 = x) xs
