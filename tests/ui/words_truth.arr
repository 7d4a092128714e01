def f (x: i64): bool = x > 1 and x < 9 and x != 5
def g (x: i64): bool = x < 1 or x > 9
def h (x: bool): bool = if not x then True else False
def k [n] (xs: [n]bool): [n]bool = map not xs
