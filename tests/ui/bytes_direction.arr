-- The text turns round here: ‮ and back ‬.
entry demo (x: i64): i64 = ‮ y
