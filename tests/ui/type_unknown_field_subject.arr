def getx p = p.x
entry demo (x: i64): i64 = getx {x}
entry demo2 [n] (xs: [n](i64, i64)): [n]i64 = map (\p -> p.0) xs
def g = \p -> p.y
