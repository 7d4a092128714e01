-- Outputs of each kind.
entry positive [n] (xs: [n]i64): ?[k].([k]i64, i64) = (filter (> 0) xs, n)

entry total [n] (xs: [n]i64) (factor: i64): i64 = factor * i64.sum xs

entry give: i64 = 7
