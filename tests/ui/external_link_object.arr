-- $ arrc build FILE --link external_size.c
external grow [n] (xs: [n]f64): [n]f64
entry f [n] (xs: [n]f64): [n]f64 = grow xs
