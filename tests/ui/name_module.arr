entry demo (x: f64): f64 = f64.squareroot x + math.pi + f16.sqrt x
