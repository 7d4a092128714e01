def some (n: i64): [n]i64 = 1..<n
