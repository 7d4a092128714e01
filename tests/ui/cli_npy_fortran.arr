-- $ arrc run FILE total @fortran.npy
-- NumPy's other order, column by column: it would be another matrix.
entry total [n] [m] (xss: [n][m]i64): i64 = i64.sum (flatten xss)
