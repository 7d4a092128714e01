def one (x, 1): i64 = x
def two ({x = }: {x: i64}): i64 = x
def three (x: i64): i64 = let (a, = (x, x) in a
entry four (x: i64): bool = x + one x
