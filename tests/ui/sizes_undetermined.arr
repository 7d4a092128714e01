def f [n] (x: i64): [x]i64 = replicate x 1
