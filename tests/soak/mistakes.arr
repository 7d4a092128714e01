-- What mistakes.c calls in a wrong manner: compiled code reads memory that another thread writes, or that is not there.

entry total [n] (xs: [n]i64): i64 = reduce (+) 0 (map (* 3) xs)
