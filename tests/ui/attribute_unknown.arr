#[nolinine]
def area (w: f64) (h: f64): f64 = w * h

#[whatever(really)]
entry demo (w: f64): f64 = #[trace] area w (#[unroll] w)
