-- $ arrc run --target-cpu=pentium12 FILE double 3
entry double (x: i64): i64 = 2 * x
