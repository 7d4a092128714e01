entry demo (x: i64): i64 = reduce (+) 0 (map2 (*) [x, x + 1, x + 2] [1, 2])
