module limits = { def low: i64 = 0 }
entry below (x: i64): bool = x < limits
