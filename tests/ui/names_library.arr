entry smooth [n] (a: [n]f64): [n]f64 = stencil_1 #clamp 1 (\at -> at (-1) + at 0 + at 1) a

entry middle [n] (a: [n]f64): f64 = median a
