def f (g: i64 -> i64 -> i64) = g 1 + 2
