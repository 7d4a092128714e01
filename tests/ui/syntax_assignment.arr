entry main (x: i64): bool = x = 3
