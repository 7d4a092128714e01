let f (x: i64): i64 = x
entry e (x: i64): bool = f x
