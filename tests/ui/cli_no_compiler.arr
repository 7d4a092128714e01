-- $ CC=no-such-cc arrc run FILE double 3
entry double (x: i64): i64 = 2 * x
