entry f (xs: [12]i64): [][]i64 = unflatten xs
entry g [n] (xs: [n]i64): [][]i64 = unflatten xs
entry h [n] (xs: [n]i64): i64 = length (unflatten xs)
