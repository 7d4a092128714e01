-- $ arrc test FILE
entry total [n] (xs: [n]i64): i64 = reduce (+) 0 xs
