entry demo (xs: ?[k].[k]i64): i64 = length xs
