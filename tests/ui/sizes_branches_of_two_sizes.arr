def f (c: bool) = map2 (+) (if c then [1] else [1, 2]) [1, 2]
