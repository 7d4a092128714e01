-- $ arrc run FILE power 2 -1
entry power (x: i64) (e: i64): i64 = x ** e
