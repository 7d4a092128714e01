entry demo (x: i64): i64 = x

demo 3
