-- $ arrc run FILE total @truths.npy
-- Truth values are no numbers.
entry total [n] (xs: [n]i64): i64 = i64.sum xs
