entry demo (n: i64): i64 = length (map (\i -> iota i) (iota n))
