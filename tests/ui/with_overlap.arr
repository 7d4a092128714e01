entry edges (n: i64): [n][n]i64 =
  with { ([0, 0] <= [i, j] < [n, 1]) : 1; ([0, 0] <= [i, j] < [1, n]) : 2 } : genarray ([n, n], 0)

entry parts [n] (a: [n]i64): [n]i64 =
  with { (. <= [i] < [n - 1]) : i; ([n - 2] <= [i] <= .) : 0 } : modarray a

entry steps: i64 =
  with { ([0] <= [i] < [9] step 3 width 2) : i; ([1] <= [i] < [9] step 3) : i } : fold (+, 0)
