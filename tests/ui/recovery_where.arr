entry e (x: i64): i64 = y + 1 where y = x
def f (x: i64): i64 = let y = 1; z = 2 in y + z
