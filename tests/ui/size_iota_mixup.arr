entry demo (n: i64) (m: i64): [n]i64 = map2 (+) (iota n) (iota m)
