entry e (x: i64): bool = x ≤ 3 && x ≠ 4
entry f (x: i64): i64 = x – 1
def g = “hello”
