-- Variables of loops that no step uses.
entry counter (x: f64) (n: i64): f64 = loop product = 1.0 for i < n do product * x
entry element (xs: []i64): i64 = loop count = 0 for x in xs do count + 1
entry part (xs: [](i64, i64)): i64 = loop sum = 0 for (x, y) in xs do sum + x
entry hidden (n: i64): i64 = loop s = 0 for i < n do let i = s + 1 in i
entry fine (n: i64): i64 = loop s = 0 for _ < n do s + 1
