-- $ arrc run FILE total @truncated.npy
-- The header says four elements; the file has two, and three bytes of the third.
entry total [n] (xs: [n]f64): f64 = f64.sum xs
