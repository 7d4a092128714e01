-- $ arrc bench FILE once 5 --rounds=3
entry once (x: i64): i64 = x
