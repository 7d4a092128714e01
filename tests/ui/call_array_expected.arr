entry total (x: i32): i32 = i32.sum x
entry count (x: i32): i64 = length x
