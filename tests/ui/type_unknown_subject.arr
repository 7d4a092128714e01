def first p = p.x

entry demo (x: i64): i64 = first {x, y = x}
