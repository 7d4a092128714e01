entry demo: f64 = 1e400
entry demo2: f32 = 1e39f32
entry demo3: f32 = 1e39
