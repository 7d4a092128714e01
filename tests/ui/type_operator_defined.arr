def (<+>) (a: i64) (b: i64): i64 = a + b
entry demo (x: i64) (y: f64): i64 = x <+> y
