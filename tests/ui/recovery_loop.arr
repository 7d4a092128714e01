entry e (n: i64): i64 = loop x = 0 for i < n x + i
entry f (n: i64): i64 = loop x = 0 i < n do x + i
entry g (n: i64): i64 = loop x = 0 for i n do x + i
entry h (n: i64): i64 = loop for i < n do x + i
entry i (n: i64): bool = n
