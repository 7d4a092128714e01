entry one (x: i64): i64 = (x + ) * [1, , 2][0]
entry two (x: i64): i64 = x
