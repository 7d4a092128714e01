-- Of two numbers the one is converted that loses less by it.
entry a (c: i64) (w: f64): f64 = c * w
entry b (w: f64) (c: i32): f64 = w * c
entry c [n] (xs: [n]f64) (i: i32): f64 = xs[0] * (i + 1)
entry d (i: i32) (j: i64): i64 = i + j
entry e (x: f64) (y: f32): f64 = x + y
entry f (u: u8) (i: i8): bool = u < i
entry g (u: u64) (i: i64): u64 = u + i
entry h [n] (c: i64) (xs: [n]f64): [n]f64 = map (* c) xs
entry i (p: bool) (x: i32) (y: i64): i64 = if p then x else y
entry j (xs: []i64) (w: f64): i64 = xs[w]
entry k [n] (xs: [n]f64): i64 = i64.sum xs
