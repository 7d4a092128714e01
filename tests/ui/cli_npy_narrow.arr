-- $ arrc run FILE total @int64.npy
-- No value is cut off: the file has int64, the parameter i32.
entry total [n] (xs: [n]i32): i32 = i32.sum xs
