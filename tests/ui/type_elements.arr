entry demo (x: i64): [3]i64 = [x, 2.5, true]
