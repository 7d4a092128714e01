def add (x: i64) (y: i64): i64 = x + y

entry demo (x: i64): i64 = add x
