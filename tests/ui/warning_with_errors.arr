-- A program with errors has no warnings: they would be noise.
entry demo (x: i64): i64 = let y = x in z
