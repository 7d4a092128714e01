-- $ arrc run FILE read 5
entry read (x: i64): i64 = x
entry main (x: i64): i64 = x
