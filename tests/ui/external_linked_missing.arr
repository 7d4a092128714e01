-- $ arrc run --link missing.c FILE f 1.0
external twice (x: f64): f64
entry f (x: f64): f64 = twice x
