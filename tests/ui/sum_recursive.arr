type list = #cons i64 list | #nil

entry demo (n: i64): i64 = n
