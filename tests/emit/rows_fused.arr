-- $ arrc build FILE --emit=process
-- Maps over the rows of one array run in one pass, and what they do with a row in one pass inside.
-- structure twice: none 2, ilp 1
-- structure twice.zss: ilp 1
-- structure sums: none 2, ilp 1
-- structure sums.ss: ilp 1
entry twice [n] [m] (xss: [n][m]i32): [n][m]i32 =
  let yss = map (map (+ 1)) xss
  let zss = map (map (* 2)) yss
  in zss

entry sums [n] [m] (xss: [n][m]i32): [n]i32 =
  let yss = map (map (+ 1)) xss
  let ss = map (reduce (+) 0) yss
  in ss
