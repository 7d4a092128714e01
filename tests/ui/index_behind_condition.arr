-- What a condition may exclude is a warning.
entry by_if (xs: [3]i64) (n: i64): i64 = if n > 3 then xs[3] else 0
entry by_match (xs: [3]i64) (n: i64): i64 = match n case 3 -> xs[3] case _ -> 0
entry by_and (xs: [3]i64) (n: i64): bool = n > 3 && xs[3] > 0
entry by_while (xs: [3]i64) (n: i64): i64 = loop i = 0 while i < n do i + xs[3]
