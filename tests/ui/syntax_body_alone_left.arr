def f (x: i64): i64 = x
let a = 1
let b = a
in a + b
def g (x: i64): i64 = x
let twice (x: i64): i64 = let y = x in y + y
let thrice (x: i64): i64 = x * 3
