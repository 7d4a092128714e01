def f (n: i64) = if n then 1 else 2
