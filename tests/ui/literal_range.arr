entry demo: (u8, i8, i32) = (300, -129, 3_000_000_000)

entry suffixed: u8 = 256u8
