-- $ arrc test FILE
-- Files of literals have comments as programs have.
-- ==
-- entry: scaled
-- input @ test_comments.in output { [10i64, 20i64, -30i64] }
entry scaled [n] (xs: [n]i64) (factor: i64): [n]i64 = map (* factor) xs
