-- Operands are converted to the type that their place asks for.
entry a (i: f32) (j: f64): f32 = i + j
entry b (i: f64) (j: f32): f32 = i * j
entry c (i: i32) (j: i64): i32 = i + j
entry d (i: i32) (j: i64): f64 = i + j
entry e (c: i64) (w: f64): i64 = c * w
entry f (x: f32) (y: f64): f32 = 2 * (x - y)
entry g (x: f32) (y: f64): f32 = let z: f32 = x - y in z
entry h (p: bool) (x: f32) (y: f64): f32 = if p then x + y else x
entry i (x: f32) (y: f64): bool = x < y
def half (x: f32): f32 = x / 2
entry j (x: f32) (y: f64): f32 = half (x + y)
