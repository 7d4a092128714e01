def f (xs: [3]i32) (i: f32) = xs[i] + i[0] + xs[0, 1]
