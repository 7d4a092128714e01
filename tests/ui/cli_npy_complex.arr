-- $ arrc run FILE total @complex.npy
entry total [n] (xs: [n]f64): f64 = f64.sum xs
