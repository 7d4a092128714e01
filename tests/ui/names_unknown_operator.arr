def f x = x <*> x
