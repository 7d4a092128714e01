entry one (x: i64): i64 = if x > 0 x else 1
entry two (x: i64): i64 = if x > 0 then x 1
entry three (x: i64): i64 = y
