-- $ arrc run FILE f [1.0,2.0]
external median [n] (xs: [n]f64): f64
#[effect(io)]
external report (step: i32) (err: f64): ()
external unused (x: f64): f64
entry f [n] (xs: [n]f64): f64 =
  let m = median xs
  let () = report 1 m
  in m
