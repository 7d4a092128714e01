def f (n: i64) (m: i64) = zip (iota n) (iota (m + 1))
