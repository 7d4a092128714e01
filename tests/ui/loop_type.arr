entry f (n: i64): f64 = loop x = true for i < n do 1.5
