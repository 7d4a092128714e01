def half (n: i64): i64 = assert n (n / 2)
