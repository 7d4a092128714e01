-- $ arrc build FILE --prefix=si -o no-such-folder/x.o
entry read (x: i64): i64 = x
entry main (x: i64): i64 = x
entry n (x: f64): f64 = x
entry ze_t (x: f64): f64 = x
