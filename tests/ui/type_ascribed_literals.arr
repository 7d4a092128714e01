entry float: i64 = (1.5: i64)
entry truth: bool = (1: bool)
entry branches (c: bool) = (if c then 1.5 else 2.5: i64)
entry negative = -(1.5: u8)
entry carried = loop x = (0x1p3: i64) for _i < 3 do x
entry fits: (f32, i64) = ((1.5: f32), (2: i64))
entry unknown = ((1: nothing): bool)
