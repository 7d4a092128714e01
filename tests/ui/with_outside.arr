entry behind [n] [m] (a: [n][m]i64): [n][m]i64 = with { ([0, 0] <= iv <= [n, m - 1]) : 1 } : modarray a

entry before: [4]i64 = with { ([-1] <= [i] < [3]) : i } : genarray ([4], 0)

entry missing: [4]i64 = with { ([1] <= [i] < [4]) : i } : genarray ([4])

entry step (n: i64): [4]i64 = with { ([1] <= [i] < [4] step 0) : i } : genarray ([4], n)

entry above [n] [m] (a: [n][m]i64): [n][m]i64 = with { ([0, 0] <= [i, j] < [n, m + 1]) : i } : genarray ([n, m], 0)
