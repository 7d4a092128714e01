def dot [n] (xs: [n]f64) (ys: [n]f64) = f64.sum (map2 (*) xs ys)
def f [n] (xs: [n]f64) = dot xs (xs ++ [1])
