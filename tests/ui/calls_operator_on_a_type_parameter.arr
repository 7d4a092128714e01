def f 'a (x: a) = x + x
