entry demo (x: f64): f64 = f46.sqrt x + i46.f64 x
