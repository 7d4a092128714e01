entry demo (x: i64): bool = (\y -> y + x) == (+ 1)
