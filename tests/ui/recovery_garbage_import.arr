f (r: import "lib/geometry"
entry f (r: f64): f64 = volume
