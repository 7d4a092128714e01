-- Elementary functions of each element, on inputs from -1 to 1.

entry exp_f64 [n] (xs: [n]f64): [n]f64 = map (\x -> f64.exp (x * 10)) xs
entry exp2_f64 [n] (xs: [n]f64): [n]f64 = map (\x -> f64.exp2 (x * 10)) xs
entry log_f64 [n] (xs: [n]f64): [n]f64 = map (\x -> f64.log (x * 10 + 11)) xs
entry log2_f64 [n] (xs: [n]f64): [n]f64 = map (\x -> f64.log2 (x * 10 + 11)) xs
entry sin_f64 [n] (xs: [n]f64): [n]f64 = map (\x -> f64.sin (x * 10)) xs
entry cos_f64 [n] (xs: [n]f64): [n]f64 = map (\x -> f64.cos (x * 10)) xs
entry tanh_f64 [n] (xs: [n]f64): [n]f64 = map (\x -> f64.tanh (x * 10)) xs

entry exp_f32 [n] (xs: [n]f32): [n]f32 = map (\x -> f32.exp (x * 10)) xs
entry exp2_f32 [n] (xs: [n]f32): [n]f32 = map (\x -> f32.exp2 (x * 10)) xs
entry log_f32 [n] (xs: [n]f32): [n]f32 = map (\x -> f32.log (x * 10 + 11)) xs
entry log2_f32 [n] (xs: [n]f32): [n]f32 = map (\x -> f32.log2 (x * 10 + 11)) xs
entry sin_f32 [n] (xs: [n]f32): [n]f32 = map (\x -> f32.sin (x * 10)) xs
entry cos_f32 [n] (xs: [n]f32): [n]f32 = map (\x -> f32.cos (x * 10)) xs
entry tanh_f32 [n] (xs: [n]f32): [n]f32 = map (\x -> f32.tanh (x * 10)) xs
entry pow_f32 [n] (xs: [n]f32): [n]f32 = map (\x -> (x * 10 + 11) ** x) xs
