-- The size is known in the body only where a parameter names it.
entry demo (xs: []i64): i64 = n
