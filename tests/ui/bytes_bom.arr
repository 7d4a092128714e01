entry demo (x: i64): i64 = y
