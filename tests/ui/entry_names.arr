entry int (x: i64): i64 = x
entry main' (x: i64): i64 = x
entry sin (x: f64): f64 = f64.sin x
entry arr_new (x: i64): i64 = x
