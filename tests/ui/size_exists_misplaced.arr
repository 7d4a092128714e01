entry main (xs: ?[k].[k]i64): i64 = length xs
