entry demo (c: bool) (x: i64): i64 = (if c then (+ 1) else (* 2)) x
