type p = {x: i64, y: i64
def mk (x: i64): p = {x, y = 1
entry g (x: i64): i64 = (mk x).x + true
