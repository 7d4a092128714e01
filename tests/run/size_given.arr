-- In a function the sizes of its parameters are known, also if an argument beside it makes them.

-- ==
-- entry: bound
-- input { [1i64, 2i64, 3i64] 2i64 } output { [3i64, 5i64, 7i64] }
-- input { [1i64, 2i64, 3i64] 0i64 } output { [0i64, 0i64, 0i64] }
-- input { empty([0]i64) 2i64 } output { empty([0]i64) }
entry bound [n] (xs: [n]i64) (k: i64): [n]i64 =
  map (\column -> let up = column[::-1] in i64.sum up)
    (transpose (generate (k % 4) (\i -> map (+ i) xs)))

-- ==
-- entry: grown
-- input { [1i64, 2i64, 3i64] 2i64 } output { [9i64, 11i64, 13i64] }
entry grown [n] (xs: [n]i64) (k: i64): [n]i64 =
  map (\column -> let long = column ++ [k, k] let l = length long in i64.sum long + l - 2)
    (transpose (generate (k % 4) (\i -> map (+ i) xs)))

-- ==
-- entry: folded
-- input { [3i64, -1i64, 4i64] } output { 16i64 }
entry folded (xs: []i64): i64 =
  (\ys -> let zs = map (* 2) ys let n = length zs in i64.sum zs + n) (filter (> 0) xs)
