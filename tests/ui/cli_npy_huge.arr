-- $ arrc run FILE total @huge.npy
-- A file of two elements that claims 10^18 rows of 10^12.
entry total [n] [m] (xss: [n][m]i64): i64 = i64.sum (flatten xss)
