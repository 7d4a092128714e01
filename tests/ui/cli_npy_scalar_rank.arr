-- $ arrc run FILE half @three.npy
entry half (x: f64): f64 = x / 2
