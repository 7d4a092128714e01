-- The first byte that is not UTF-8 is in the next line.
-- café
entry demo (x: i64): i64 = x
