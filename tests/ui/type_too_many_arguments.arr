def double (x: i64): i64 = 2 * x

entry main (x: i64): i64 = double x x
