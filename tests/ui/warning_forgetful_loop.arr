-- Loops of which only the last step counts.
entry one (xs: []i64): i64 = loop sum = 0 for x in xs do x
entry two (xs: []i64): (i64, i64) = loop (low, high) = (0, 0) for x in xs do (x, x + 1)
entry fine (n: i64): (i64, i64) = loop (a, b) = (0, 1) for _ < n do (b, b + 1)
