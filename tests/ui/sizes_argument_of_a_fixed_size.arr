def f (xs: [3]f64) = xs[0]
def g = f [1, 2]
