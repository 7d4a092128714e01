def f = (300u8, -129i8, 0x1ffffffff)
def g (xs: [2]u8) = map (+ 256) xs
