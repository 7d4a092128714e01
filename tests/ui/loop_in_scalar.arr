entry f (n: i64): i64 = loop s = 0 for i in n do s + i
