def f = let (a, b, c) = (1, 2) in a
def g (xs: [2](i64, i64)) = map (\(x, y, z) -> x) xs
