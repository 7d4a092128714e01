-- Any operand can be changed.
entry a [n] (xs: [n]f64) (i: i32): f64 = xs[0] * (i + 1)
entry b (x: f64) (i: i32): f64 = x + i * 2
entry c (x: f64) (i: i32): f64 = x + i32.abs i
entry d (x: f64) (i: i32): f64 = -i * x
entry e (x: f64) (p: {n: i32}): f64 = p.n * x
entry f (u: u8) (i: i8): bool = u + 1 < i
entry g (n: i64): f64 = n * 1.5
entry h (n: i64): i64 = (n + 1) * 1.5
entry i (n: i32) (m: i64): f32 = (n + 1) * m
entry j (x: f64) (i: i32): f64 = x + (if x > 0 then i else 0)
