def f (g: i64 - > i64) (x: i64): i64 = g x
entry e (x: i64): bool = f (\y -> y) x
