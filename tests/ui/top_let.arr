let f (x: i64): i64 = x let g = 1i64
local let h: i64 = 2
entry e (x: i64): bool = f x + g + h
