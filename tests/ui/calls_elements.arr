def f = [1, 2.5f32, true]
