external double (x: f64): f64
external half' (x: f64): f64
external exp (x: f64): f64
external main (x: f64): f64
external arr_rt_x (x: f64): f64
entry f (x: f64): f64 = double x + half' x + exp x + main x + arr_rt_x x
