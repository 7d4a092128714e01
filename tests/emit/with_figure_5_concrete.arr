-- $ arrc build FILE --emit=concrete
-- Figure 5 of paper 004: two with-loops over one space with generators of their own are one sweep.
entry figure_5: ([9][9]i64, [9][9]i64) =
  let a = with { ([1, 1] <= iv < [6, 6]) : 0 } : genarray ([9, 9], 1)
  let b = with { ([2, 3] <= iv < [6, 6]) : 2 } : genarray ([9, 9], 3)
  in (a, b)
