def first p = p.x

entry main (x: i64): i64 = first {x, y = x}
