def f x = let (a, {y = a}) = x in {b = 1, b = 2}
