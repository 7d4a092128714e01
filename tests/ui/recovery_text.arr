def f: []u8 = "abc
def g (x: i64): i64 = x + 'a
entry e (x: i64): bool = g x
