-- $ arrc build FILE --emit=generators
-- Figure 5 of paper 004: two with-loops over one space with generators of their own are one sweep over seven generators.
entry figure_5: ([9][9]i64, [9][9]i64) =
  let a = with { ([1, 1] <= iv < [6, 6]) : 0 } : genarray ([9, 9], 1)
  let b = with { ([2, 3] <= iv < [6, 6]) : 2 } : genarray ([9, 9], 3)
  in (a, b)

-- The same of boxes in larger arrays, whose rows are loops.
entry larger (a: [90][90]f64): ([90][90]f64, [90][90]f64) =
  let b = with { ([10, 10] <= iv < [60, 60]) : a[iv] * 2 } : genarray ([90, 90], 1)
  let c = with { ([20, 30] <= iv < [60, 60]) : a[iv] + 1 } : genarray ([90, 90], 3)
  in (b, c)

-- Boxes whose bounds the run tells: the loops have ranges in the order of the boxes.
entry two_boxes [n] (a: [n]f64) (p: i64) (q: i64) (u: i64) (v: i64): [n]f64 =
  with { ([p] <= [i] < [q]) : a[i] * 2; ([u] <= [i] < [v]) : a[i] + 1 } : genarray ([n], 0)
