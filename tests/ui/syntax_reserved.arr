entry demo (n: i64): i64 = case + n
