-- $ arrc run FILE total @int64.npy
-- An f64 does not have all values of int64.
entry total [n] (xs: [n]f64): f64 = f64.sum xs
