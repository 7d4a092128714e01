import "geometri"
def f (x: i64): i64 = area x
entry e (x: i64): bool = f x
