intrinsic fast_map 'a 'b (f: a -> b) (x: a): b

entry demo (x: i64): i64 = fast_map (+ 1) x
