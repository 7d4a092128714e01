-- Windows of a matrix, row by row, together with an element of each row: a row is read where it is, and not copied.

-- ==
-- entry: eliminated
-- input { [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]] } output { [[-3.0, -6.0], [-6.0, -12.0]] }
-- allocates 1
-- input { [[1.0]] } output { empty([0][0]f64) }
entry eliminated [n] [m] (a: [n][m]f64): ?[p].?[q].[p][q]f64 =
  map2 (\row l -> map2 (\x u -> x - l * u) row a[0, 1:]) a[1:, 1:] a[1:, 0]
