-- $ arrc run FILE double [5]
entry double (x: i64): i64 = 2 * x
