def f (x: i64) = x 1 + 2 3
