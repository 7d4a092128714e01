entry f [n] (xs: [n]i64): i64 = reduce (+) 0 (map (+) xs)
entry g [n] (xs: [n]i64): [n]i64 = map (map2 (+)) xs
entry h [n] (xs: [n]i64): [n]i64 = map (\x y -> x + y) xs
