def f g = let h 'a (x: a) = g x in h 1
