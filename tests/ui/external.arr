#[effect(io)]
external report (step: i32) (err: f64): ()
entry f (x: i64): i64 = x
