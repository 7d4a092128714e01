-- $ arrc run FILE total @points.parquet:x
entry total [n] (xs: [n]f64): f64 = reduce (+) 0 xs
