intrinsic map2 (x: i64): i64
