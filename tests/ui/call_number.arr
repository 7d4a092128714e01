entry literal: i32 = 1i32 2
entry name (x: i32): i32 = x 2
