def f (x: i64): i64 = x
g (x: i64): i64 = f x
entry e (x: i64): bool = g x
