entry demo (x: i64): [n i64 = replicate n x
