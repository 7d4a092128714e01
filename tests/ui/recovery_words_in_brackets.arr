entry e (x: i64): i64 = if (x > 0 then x else (1 + 2
entry f (x: i64): i64 = loop y = (x for i < 3 do y
