-- $ arrc run FILE total @points.parquet
entry total [n] (xs: [n]f64): f64 = reduce (+) 0 xs
