module fast = { external norm [n] (xs: [n]f32): f32 }
module exact = { external norm [n] (xs: [n]f64): f64 }
module other = { external f (x: f64): f64 }
entry f [n] (xs: [n]f64): f64 = exact.norm xs + other.f 1
entry g [n] (xs: [n]f32): f32 = fast.norm xs
