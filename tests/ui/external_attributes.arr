#[pure] external a (x: f64): f64
#[effect(net)] external b (x: f64): f64
#[effect] external c (x: f64): f64
#[effect(io(x))] external d (x: f64): f64
#[effect(io)] external e (x: f64): f64
entry f (x: f64): f64 = a x + b x + c x + d x + e x
