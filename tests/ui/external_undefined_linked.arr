-- $ arrc build FILE --exe -o /dev/null --link external_report.c
external median [n] (xs: [n]f64): f64
#[effect(io)]
external report (step: i32) (err: f64): ()
entry f [n] (xs: [n]f64): f64 =
  let m = median xs
  let () = report 1 m
  in m
