def f (n: i64) = n && !n
