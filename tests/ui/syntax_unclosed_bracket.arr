def area (w: f64) (h: f64): f64 = (w * h

entry demo (w: f64): f64 = area w w
