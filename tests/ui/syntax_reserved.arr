entry demo (n: i64): i64 = loop x = 1 for i < n do x * 2
