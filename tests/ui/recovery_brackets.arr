def one (x: i64): i64 = x) + 1
def two (x: i64): i64 = [x, x[0]
def three (x: i64): i64 = {x = 1
def four (x: i64): i64 = (x, [x)]
entry five (x: i64): bool = one x
