-- $ arrc run FILE 3
entry demo (x: i64): i64 = let y = x in x + 1
