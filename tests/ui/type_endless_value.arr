def x: i64 = y + 1
def y: i64 = x - 1

entry demo: i64 = x
