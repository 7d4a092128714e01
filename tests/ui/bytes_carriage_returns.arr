def f (x: i64): i64 = x

entry demo (x: i64): i64 = f y
