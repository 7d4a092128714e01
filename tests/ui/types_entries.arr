entry a 'a (x: a) = x
entry b x = x
entry c (f: i64 -> i64) (x: i64): i64 = f x
entry d (x: i64) = \y -> x + y
entry e (x: i64) = []
