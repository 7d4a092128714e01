def f (x: i64): i64 = x + * 2
def g (x: i64): i64 = * x
def h (x: i64): i64 = x ; 2
def i (x: i64): i64 = x $ 2
entry e (x: i64): bool = f x + g x
