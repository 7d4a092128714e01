-- `scale` is right at its default in one place: another type would be wrong there.
def scale k x = k * x
entry whole (x: i32): i32 = scale x 3
entry half (x: f64): f64 = scale 0.5 x
