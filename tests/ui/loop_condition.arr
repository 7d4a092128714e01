entry f (n: i64): i64 = loop x = 1 while n - x do x * 2
