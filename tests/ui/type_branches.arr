entry demo (c: bool) (x: i64): i64 = if c then x else x > 0
