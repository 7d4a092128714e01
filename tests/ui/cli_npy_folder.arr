-- $ arrc run FILE total @folder.npy
entry total [n] (xs: [n]f64): f64 = f64.sum xs
