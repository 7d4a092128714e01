def type (x: i64): i64 = x
def f (in: i64): i64 = in
entry e (x: i64): bool = f x
