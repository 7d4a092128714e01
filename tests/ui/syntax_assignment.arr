entry demo (x: i64): bool = x = 3
