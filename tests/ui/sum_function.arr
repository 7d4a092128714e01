type step = #go (i64 -> i64) | #stop

entry demo (n: i64): i64 = n
