import "lib/ring_a"
entry f (x: i64): i64 = a + x
