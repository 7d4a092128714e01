entry demo [n] (xs: [n]i64): i64 = reduce (\a x -> a > x) 0 xs
