-- $ arrc run FILE total @three.npy
entry total [n] [m] (xss: [n][m]f64): f64 = f64.sum (flatten xss)
