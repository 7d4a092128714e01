def f (xs: [3]i64) = lenght xs
