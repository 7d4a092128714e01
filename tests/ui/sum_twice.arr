type colour = #red | #green | #red

entry demo (n: i64): i64 = n
