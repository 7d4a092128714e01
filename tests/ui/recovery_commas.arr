entry e (x: i64): (i64, i64) = (x, , x)
entry f (x: i64) (y: i64): [3]i64 = [x y, ]
entry g (x: i64): (i64, i64) = x, x
entry h (x: i64): i64 = [1, 2, 3,][0] + (x,)
