-- $ arrc run FILE half 7
entry half (n: i64): i64 = assert (n % 2 == 0) (n / 2)
