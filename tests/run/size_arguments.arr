-- Sizes that are values of arguments. An entry compares them with its arrays when all arguments are there, so the order of
-- its parameters makes no difference.

-- ==
-- entry: after
-- input { [1i64, 2i64, 3i64] 3i64 } output { [1i64, 3i64, 5i64] }
-- input { empty([0]i64) 0i64 } output { empty([0]i64) }
-- input { [1i64, 2i64, 3i64, 4i64, 5i64, 6i64] 2i64 } error: xs has size 6 but its type \[n\] has size 2; they must be equal
-- input { [1i64] 20000000i64 } error: xs has size 1 but its type \[n\] has size 20000000; they must be equal
-- input { [1i64] -1i64 } error: xs has size 1 but its type \[n\] has size -1; they must be equal
entry after (xs: []i64) (n: i64) = map2 (+) xs (sort (<=) (iota n))

-- ==
-- entry: before
-- input { 3i64 [1i64, 2i64, 3i64] } output { [1i64, 3i64, 5i64] }
-- input { 2i64 [1i64, 2i64, 3i64] } error: xs has size 3 but its type \[n\] has size 2; they must be equal
entry before (n: i64) (xs: []i64) = map2 (+) xs (sort (<=) (iota n))

-- Nothing but the type of the result mentions the size.
-- ==
-- entry: result
-- input { [1.0, 2.0, 3.0] 3i64 } output { [1.0, 2.0, 3.0] }
-- input { [1.0, 2.0, 3.0] 5i64 } error: xs has size 3 but its type \[n\] has size 5; they must be equal
entry result (xs: []f64) (n: i64): [n]f64 = xs

-- No array is read.
-- ==
-- entry: unread
-- input { [1.0, 2.0] 2i64 } output { 2i64 }
-- input { [1.0, 2.0] 1i64 } error: xs has size 2 but its type \[n\] has size 1; they must be equal
entry unread (xs: []f64) (n: i64): i64 = let _ = map2 (+) xs (replicate n 1) in n

-- ==
-- entry: between
-- input { [1i64, 2i64] 2i64 [3i64, 4i64] } output { [4i64, 6i64] }
-- input { [1i64, 2i64] 2i64 [3i64] } error: ys has size 1 but its type \[n\] has size 2; they must be equal
-- input { [1i64] 2i64 [3i64, 4i64] } error: xs has size 1 but its type \[n\] has size 2; they must be equal
entry between (xs: []i64) (n: i64) (ys: []i64) = map3 (\x y i -> x + y + i - i) xs ys (iota n)

-- Rows, and both dimensions.
-- ==
-- entry: rows
-- input { [[1i64, 2i64], [3i64, 4i64]] 2i64 } output { [[1i64, 2i64], [3i64, 4i64]] }
-- input { [[1i64, 2i64], [3i64, 4i64]] 3i64 } error: dimension 2 of xs has size 2 but its type \[n\] has size 3; they must be equal
-- input { empty([0][2]i64) 3i64 } error: dimension 2 of xs has size 2 but its type \[n\] has size 3; they must be equal
entry rows [m] (xs: [m][]i64) (n: i64): [m][n]i64 = xs

-- ==
-- entry: both
-- input { [[1i64, 2i64, 3i64]] 1i64 3i64 } output { [[1i64, 2i64, 3i64]] }
-- input { [[1i64, 2i64, 3i64]] 3i64 1i64 } error: dimension 1 of xs has size 1 but its type \[n\] has size 3; they must be equal
-- input { [[1i64, 2i64, 3i64]] 1i64 2i64 } error: dimension 2 of xs has size 3 but its type \[m\] has size 2; they must be equal
entry both (xs: [][]i64) (n: i64) (m: i64): [n][m]i64 = xs

-- Two parameters of one size.
-- ==
-- entry: square
-- input { [[1i64]] 1i64 } output { 1i64 }
-- input { [[1i64, 2i64]] 1i64 } error: dimension 2 of xs has size 2 but its type \[n\] has size 1; they must be equal
-- input { [[1i64, 2i64]] 2i64 } error: dimension 1 of xs has size 1 but its type \[n\] has size 2; they must be equal
entry square (xs: [][]i64) (n: i64): i64 =
  i64.sum (flatten (map2 (map2 (*)) xs (tabulate_2d n n (\i j -> i + j + 1))))

-- Parts of arguments.
-- ==
-- entry: pair
-- input { [1i64, 2i64] 2i64 } output { [1i64, 3i64] }
-- input { [1i64, 2i64] 3i64 } error: has size 2 but its type \[n\] has size 3; they must be equal
entry pair (xs: []i64, n: i64) = map2 (+) xs (iota n)

-- ==
-- entry: record
-- input { 2i64 [1i64, 2i64] } output { [1i64, 3i64] }
-- input { 3i64 [1i64, 2i64] } error: has size 2 but its type \[n\] has size 3; they must be equal
entry record ({n, xs}: {n: i64, xs: []i64}) = map2 (+) xs (iota n)

-- ==
-- entry: pairs
-- input { [1i64, 2i64] [1.0, 2.0] 2i64 } output { [1.0, 5.0] }
-- input { [1i64, 2i64] [1.0, 2.0] 3i64 } error: has size 2 but its type \[n\] has size 3; they must be equal
entry pairs (xs: [](i64, f64)) (n: i64) = map2 (\(a, b) i -> f64.i64 a * b + f64.i64 i) xs (iota n)

-- Sums and products.
-- ==
-- entry: computed
-- input { [1i64, 2i64, 3i64] 2i64 } output { [2i64, 3i64, 4i64] }
-- input { [1i64, 2i64, 3i64] 3i64 } error: xs has size 3 but its type \[n\+1\] has size 4; they must be equal
entry computed (xs: []i64) (n: i64) = let k = n + 1 in map2 (+) xs (replicate k 1)

-- ==
-- entry: product
-- input { [1i64, 2i64, 3i64, 4i64, 5i64, 6i64] 2i64 3i64 } output { [0i64, 2i64, 6i64, 12i64, 20i64, 30i64] }
-- input { [1i64, 2i64, 3i64] 2i64 3i64 } error: xs has size 3 but its type \[n\*m\] has size 6; they must be equal
entry product (xs: []i64) (n: i64) (m: i64) =
  map2 (*) xs (flatten (tabulate_2d n m (\i j -> i * m + j)))

-- ==
-- entry: joined
-- input { [1i64, 2i64] [3i64] 3i64 } output { [1i64, 3i64, 5i64] }
-- input { [1i64, 2i64] [3i64] 4i64 } error: xs has size 2 but its type \[n - length ys\] has size 3; they must be equal
entry joined (xs: []i64) (ys: []i64) (n: i64) = map2 (+) (xs ++ ys) (iota n)

-- Carried by a loop, and in the steps of a pass.
-- ==
-- entry: carried
-- input { [1i64, 2i64] 2i64 } output { [1i64, 4i64] }
-- input { [1i64, 2i64] 3i64 } error: xs has size 2 but its type \[n\] has size 3; they must be equal
entry carried (xs: []i64) (n: i64) = loop ys = xs for _ < 2 do map2 (+) ys (iota n)

-- ==
-- entry: stepped
-- input { [1i64, 2i64] 2i64 } output { [2i64, 4i64, 6i64] }
-- input { [1i64, 2i64] 3i64 } error: xs has size 2 but its type \[n\] has size 3; they must be equal
entry stepped (xs: []i64) (n: i64) =
  map (\i -> i64.sum (map2 (\x j -> x * j + i) xs (iota n))) (iota 3)

-- Through functions. A function takes the size before the array.
def same (n: i64) (xs: []i64): [n]i64 = xs

-- ==
-- entry: helped
-- input { [1i64, 2i64] 2i64 } output { [1i64, 2i64] }
-- input { [1i64, 2i64] 3i64 } error: xs has size 2 but its type \[n\] has size 3; they must be equal
entry helped (xs: []i64) (n: i64) = same n xs

-- ==
-- entry: locally
-- input { [1i64, 2i64] 2i64 } output { [1i64, 3i64] }
-- input { [1i64, 2i64] 3i64 } error: xs has size 2 but its type \[n\] has size 3; they must be equal
entry locally (xs: []i64) (n: i64) =
  let added (k: i64) (ys: []i64) = map2 (+) ys (iota k) in added n xs

-- ==
-- entry: coerced
-- input { [1i64, 2i64] 2i64 } output { [1i64, 3i64] }
-- input { [1i64, 2i64] 3i64 } error: the array's length is 2 and n is 3
entry coerced [m] (xs: [m]i64) (n: i64) = map2 (+) (xs :> [n]i64) (iota n)

-- Written before the value.
-- ==
-- entry: chosen
-- input { true [1i64, 2i64] 2i64 } output { [1i64, 2i64] }
-- input { false [1i64, 2i64] 2i64 } output { [0i64, 1i64] }
-- input { true [1i64, 2i64] 3i64 } error: xs has size 2 but its type \[n\] has size 3; they must be equal
entry chosen (c: bool) (xs: []i64) (n: i64): [n]i64 = if c then xs else iota n
