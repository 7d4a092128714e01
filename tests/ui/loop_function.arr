entry f (n: i64): i64 = (loop g = \x -> x + 1 for i < n do \y -> y + i) 3
