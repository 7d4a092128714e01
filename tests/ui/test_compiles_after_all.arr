-- $ arrc test FILE
-- ==
-- error: A0301
entry f (x: i64): i64 = x
