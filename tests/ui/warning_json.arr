-- $ arrc check --message-format=json FILE
entry demo (x: f64): f64 = let y = x in x
