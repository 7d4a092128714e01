-- $ arrc run FILE halves [4,0]
def inverse (x: i64): i64 = 12 / x

def inverses [n] (xs: [n]i64): [n]i64 = map inverse xs

entry halves [n] (xs: [n]i64): [n]i64 = map (/ 2) (inverses xs)
