def f (xs: ?[k].[k]i64) = xs
