def f (xs: [3]f64) (b: bool) = xs + xs
def g (b: bool) = -b
def h = 1.5 << 2
