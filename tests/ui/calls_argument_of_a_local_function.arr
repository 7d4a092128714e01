def f (x: bool) = let add (a: i64) b = a + b in add 1 x
