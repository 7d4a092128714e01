entry behind [n] [m] (a: [n][m]i64): [n][m]i64 = with { ([0, 0] <= iv <= [n, m - 1]) : 1 } : modarray a

entry before: [4]i64 = with { ([-1] <= [i] < [3]) : i } : genarray ([4], 0)

entry missing: [4]i64 = with { ([1] <= [i] < [4]) : i } : genarray ([4])

entry step (n: i64): [4]i64 = with { ([1] <= [i] < [4] step 0) : i } : genarray ([4], n)

entry above [n] [m] (a: [n][m]i64): [n][m]i64 = with { ([0, 0] <= [i, j] < [n, m + 1]) : i } : genarray ([n, m], 0)

entry both [n] [m] (a: [n][m]i64): [n][m]i64 = with { ([0, -1] <= [i, j] <= shape a) : i } : modarray a

entry gap: [8]i64 = with { ([0] <= [i] < [3]) : i; ([4] <= [i] < [8]) : -i } : genarray ([8])

entry frame [n] [m] (a: [n][m]i64): [n][m]i64 =
  with { ([0, 0] <= iv < [1, m]) : 1; ([n - 1, 0] <= iv < [n, m]) : 2; ([1, 1] <= iv < shape a - 1) : 3 } : genarray (shape a)

entry grids: [9]i64 = with { ([0] <= [i] < [9] step 3) : 1; ([1] <= [i] < [9] step 3) : 2 } : genarray ([9])

entry every_second [n] (a: [n]i64): [n]i64 = with { ([0] <= [i] < [n] step 2) : a[i] } : genarray ([n])
