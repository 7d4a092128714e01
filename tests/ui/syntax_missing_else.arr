entry demo (x: i64): i64 = if x > 0 then x
