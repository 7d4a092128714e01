-- Functions of the prelude whose sizes the result tells, and others that were added with them.

-- ==
-- entry: halves
-- input { [1i64, 2i64, 3i64] [4i64, 5i64] } output { [1i64, 2i64, 3i64] [4i64, 5i64] }
-- input { empty([0]i64) [4i64, 5i64] } output { empty([0]i64) [4i64, 5i64] }
-- input { [4i64] empty([0]i64) } output { [4i64] empty([0]i64) }
entry halves [n] [m] (xs: [n]i64) (ys: [m]i64): ([n]i64, [m]i64) = split (xs ++ ys)

-- ==
-- entry: split_here
-- input { [1i64, 2i64, 3i64, 4i64] } output { 3i64 7i64 }
entry split_here (xs: [4]i64): (i64, i64) =
  let (front: [2]i64, back: [2]i64) = split xs
  in (i64.sum front, i64.sum back)

-- ==
-- entry: split_rows
-- input { [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] } output { [[1i64, 2i64]] [[3i64, 4i64], [5i64, 6i64]] }
entry split_rows (xss: [3][2]i64): ([1][2]i64, [2][2]i64) = split xss

-- ==
-- entry: split_in_workers
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]] } output { [4i64, 10i64] }
entry split_in_workers [n] (xss: [n][3]i64): [n]i64 =
  map (\xs -> let (a: [1]i64, b: [2]i64) = split xs in a[0] + b[1]) xss

-- ==
-- entry: split_pairs
-- input { [1i64, 2i64] [true, false] } output { 1i64 false }
entry split_pairs (xs: [2]i64) (ps: [2]bool): (i64, bool) =
  let (a: [1](i64, bool), b: [1](i64, bool)) = split (zip xs ps)
  in (a[0].0, b[0].1)

-- ==
-- entry: to
-- input { 3i64 [1i64] [2i64, 3i64] } output { [1i64, 2i64, 3i64] }
-- input { 2i64 [1i64] [2i64, 3i64] } error: the array's length is 3 and k is 2
entry to [n] [m] (k: i64) (xs: [n]i64) (ys: [m]i64): [k]i64 = concat_to k xs ys

-- ==
-- entry: of_size
-- input { 2i64 [1i64, 5i64] } output { [1i64, 5i64] }
-- input { 3i64 [1i64, 5i64] } error: the array's length is 2 and n is 3
entry of_size [m] (n: i64) (xs: [m]i64): [n]i64 = sized n xs

-- ==
-- entry: repeated
-- input { [1i64, 2i64] 7i64 } output { [8i64, 9i64] [7i64, 7i64, 7i64] }
-- input { empty([0]i64) 7i64 } output { empty([0]i64) [7i64, 7i64, 7i64] }
entry repeated [n] (xs: [n]i64) (x: i64): ([n]i64, [3]i64) = (map2 (+) xs (rep x), rep x)

-- ==
-- entry: picked
-- input { [true, false, true] [1i64, 2i64, 3i64] [4i64, 5i64, 6i64] } output { [1i64, 5i64, 3i64] }
entry picked [n] (flags: [n]bool) (xs: [n]i64) (ys: [n]i64): [n]i64 = pick flags xs ys

-- ==
-- entry: counted
-- input { [2i64, 0i64, 3i64] } output { [0i64, 1i64, 0i64, 1i64, 2i64] }
-- input { [0i64, 0i64] } output { empty([0]i64) }
-- input { empty([0]i64) } output { empty([0]i64) }
-- input { [1i64] } output { [0i64] }
entry counted [n] (xs: [n]i64): ?[m].[m]i64 = flatmap iota xs

-- ==
-- entry: divisors
-- input { [6i64, 7i64] } output { [6i64, 6i64, 6i64, 6i64, 7i64, 7i64] [1i64, 2i64, 3i64, 6i64, 1i64, 7i64] }
entry divisors [n] (xs: [n]i64): ?[m].([m]i64, [m]i64) =
  unzip (flatmap (\x -> map (\d -> (x, d)) (filter (\d -> x % d == 0) (1...x))) xs)

-- ==
-- entry: in_workers
-- input { [3i64, 1i64] } output { [4i64, 0i64] }
entry in_workers [n] (xs: [n]i64): [n]i64 = map (\x -> i64.sum (flatmap iota (iota (x + 1)))) xs

-- ==
-- entry: product
-- input { [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] [[1i64, 0i64, 2i64], [0i64, 1i64, 3i64]] }
-- output { [[1i64, 2i64, 8i64], [3i64, 4i64, 18i64], [5i64, 6i64, 28i64]] }
-- input { empty([0][2]i64) [[1i64], [2i64]] } output { empty([0][1]i64) }
-- input { [[1i64, 2i64]] empty([2][0]i64) } output { empty([1][0]i64) }
entry product [n] [m] [p] (xss: [n][m]i64) (yss: [m][p]i64): [n][p]i64 = matmul (+) (*) 0 xss yss

-- ==
-- entry: paths
-- input { [[0.0, 3.0], [1.0, 0.0]] } output { [[0.0, 3.0], [1.0, 0.0]] }
entry paths [n] (xss: [n][n]f64): [n][n]f64 = matmul f64.min (+) f64.inf xss xss

-- ==
-- entry: put_2d
-- input { [[1i64, 2i64], [3i64, 4i64]] [1i64, 0i64, 2i64, 0i64] [0i64, 1i64, 0i64, -1i64] [7i64, 8i64, 9i64, 9i64] }
-- output { [[1i64, 8i64], [7i64, 4i64]] [[1i64, 2i64], [3i64, 4i64]] }
entry put_2d [k] [m] [n] (xss: [k][m]i64) (is: [n]i64) (js: [n]i64)
    (vs: [n]i64): ([k][m]i64, [k][m]i64) =
  (scatter_2d xss (zip is js) vs, xss)

-- ==
-- entry: put_3d
-- input { [[[1i64], [2i64]]] [0i64, 1i64] [1i64, 0i64] [7i64, 8i64] } output { [[[1i64], [7i64]]] }
entry put_3d [k] [m] [o] [n] (x: [k][m][o]i64) (is: [n]i64) (js: [n]i64)
    (vs: [n]i64): [k][m][o]i64 =
  scatter_3d x (zip3 is js (replicate n 0)) vs
