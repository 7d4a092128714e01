entry demo (x: i64) (y: i64): bool = x && y
