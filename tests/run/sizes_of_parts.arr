-- Sizes that sums and products tell.

-- ==
-- entry: rows
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]] } output { [[2i64, 3i64, 4i64], [5i64, 6i64, 7i64]] }
entry rows [m] [n] (xss: [n][m]i64) = unflatten (map (+ 1) (flatten xss))

-- ==
-- entry: cube
-- input { [[[1i64, 2i64], [3i64, 4i64]]] } output { [[[2i64, 3i64], [4i64, 5i64]]] }
entry cube [n] [m] [o] (xsss: [n][m][o]i64) = unflatten_3d (map (+ 1) (flatten_3d xsss))

-- The order of writing counts.
-- ==
-- entry: written
-- input { [1i64, 2i64] [1i64, 2i64, 3i64] [1i64, 2i64, 3i64, 4i64, 5i64, 6i64] }
-- output { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]] [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] }
entry written [n] [m] (_: [n]i64) (_: [m]i64) (xs: [n * m]i64) =
  let ys: [m * n]i64 = xs
  in (unflatten xs, unflatten ys)

-- ==
-- entry: crossed
-- input { [1i64, 2i64] } output { [3i64, 6i64] }
entry crossed [n] (xs: [n]i64): [n]i64 = map i64.sum (unflatten (map (.0) (cross xs [1, 2, 3i64])))

-- ==
-- entry: splits
-- input { [1i64, 2i64] [3i64] } output { [1i64, 2i64] [3i64] [1i64, 2i64] }
entry splits [n] [m] (xs: [n]i64) (ys: [m]i64) =
  let (a, b) = split (xs ++ ys)
  in (a, b, (split (xs ++ [1])).0)

def half [n] (xs: [2 * n]i64): i64 = n
def first_half [n] (xs: [2 * n]i64): [n]i64 = xs[:n]

-- ==
-- entry: halves
-- input { [1i64, 2i64] } output { 5i64 [1i64, 2i64] }
entry halves [n] (xs: [n]i64): (i64, [n]i64) =
  (half (xs ++ xs ++ xs ++ xs) + half [1, 2], first_half (xs ++ xs))

-- ==
-- entry: local_use
-- input { [[1i64], [2i64]] } output { [[1i64], [2i64]] }
entry local_use [n] [m] (xss: [n][m]i64): [n][m]i64 =
  let again yss = unflatten (flatten yss)
  in again xss
