def count [n] (f: [n]i64 -> i64): i64 = n

entry main (x: i64): i64 = count (\xs -> length xs + x)
