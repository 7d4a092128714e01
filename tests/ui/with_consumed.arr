def twice (a: *[9]i64): [9]i64 = a with [0] = 2

entry f (a: *[9]i64): [9]i64 = with { (0 <= [i] < [9]) : (twice a)[i] } : genarray ([9], 0)
