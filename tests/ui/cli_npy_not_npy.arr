-- $ arrc run FILE total @not_npy.npy
entry total [n] (xs: [n]f64): f64 = reduce (+) 0 xs
