def l (x: i64): i64 = let mut y = x + 1 in y
def m (x: i64): i64 = var z = x in z
