-- $ arrc run FILE ones 3 4
-- The bounds are known when the program runs.
entry ones (n: i64) (k: i64): [n]i64 =
  with { ([0] <= [i] < [k]) : 1 } : genarray ([n], 0)
