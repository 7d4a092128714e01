-- $ arrc run FILE total @no-such-file.npy
entry total [n] (xs: [n]f64): f64 = reduce (+) 0 xs
