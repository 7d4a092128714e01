-- $ arrc test FILE
-- ==
-- error: A0301
-- error: bool
entry f (x: i64): i64 = if x then 1 else 2
