entry f (n: i64): i64 = loop total for i < n do total + i
