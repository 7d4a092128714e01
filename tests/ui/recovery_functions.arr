entry e [n] (xs: [n]i64): [n]i64 = map (x -> x + 1) xs
entry f [n] (xs: [n]i64): [n]i64 = map \x -> x + 1 xs
entry g [n] (xs: [n]i64): [n]i64 = map (\x x + 1) xs
entry h [n] (xs: [n]i64): [n]i64 = map (\ -> 1) xs
