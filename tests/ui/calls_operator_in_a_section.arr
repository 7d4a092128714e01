def f (xs: [3]bool) = reduce (+) 0 xs
