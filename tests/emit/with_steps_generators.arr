-- $ arrc build FILE --emit=generators
-- Grids: the elements of a grid and those between them are two generators.
entry blocks [n] [m] (a: [n][m]f64) (s: i64): [n][m]f64 =
  with { (. <= iv <= . step [s, 12] width [1, 4]) : a[iv] } : genarray ([n, m], 0)

-- A grid in a box whose bounds the run tells.
entry given [n] (a: [n]f64) (p: i64) (q: i64) (s: i64) (w: i64): [n]f64 =
  with { ([p] <= [i] < [q] step s width w) : a[i] } : genarray ([n], 0)

-- A small step, of which each turn is unrolled.
entry third [n] (a: [n]f64): [n]f64 = with { ([1] <= [i] < [n] step 3 width 2) : a[i] } : genarray ([n], 0)

entry few (a: [10]f64): [10]f64 = with { ([1] <= [i] < [9] step 3 width 2) : a[i] } : genarray ([10], 0)

-- Two grids of one step: each turn has the four combinations.
entry two (a: [90]f64): ([90]f64, [90]f64) =
  (with { ([0] <= [i] < [90] step 12 width 4) : a[i] } : genarray ([90], 0),
   with { ([2] <= [i] < [90] step 12 width 4) : a[i] * 2 } : genarray ([90], 1))

-- A box whose bounds depend on sizes and parameters.
entry box [n] [m] (a: [n][m]f64) (p: i64) (q: i64): [n][m]f64 =
  with { ([p, q] <= iv < [n - 2, m - q]) : a[iv] * 2 } : genarray ([n, m], 0)
