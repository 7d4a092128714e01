type pair 'a 'b = (a, b)

entry demo (p: pair i64) (q: pair i64 i64 i64): i64 = p.0
