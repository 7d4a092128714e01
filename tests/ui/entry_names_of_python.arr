-- $ arrc build FILE --python -o no-such-folder
entry errors [n] (xs: [n]f64): f64 = f64.sum xs
entry __path__ (x: i64): i64 = x
entry lambda (x: i64): i64 = x
entry lambda_ (x: i64): i64 = x
