-- $ arrc check --deny-warnings FILE
entry demo (x: f64): f64 = let y = x in x
