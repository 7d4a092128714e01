entry demo (n: i64): i64 = external + n
