-- $ arrc run FILE double 2i32
entry double (x: i64): i64 = 2 * x
