-- $ arrc run FILE total [[1,2],[3]
entry total [n][m] (xss: [n][m]i64): i64 = reduce (+) 0 (flatten xss)
