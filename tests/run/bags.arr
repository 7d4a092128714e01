-- Named types with sizes: of their own, as parameters, and in all forms of arguments.

type bag 'a = ?[k].[k]a
type bags = (bag i64, bag bool)
type named 'a = {name: i64, items: bag a}
type grid [n] [m] = [n][m]i64
type square [n] = grid [n] [n]
type maker = i64 -> bag i64
type option 'a = #some a | #none

-- ==
-- entry: positive
-- input { [1i64, -2i64, 3i64] } output { [1i64, 3i64] }
-- input { empty([0]i64) } output { empty([0]i64) }
entry positive (xs: bag i64): bag i64 = filter (> 0) xs

-- ==
-- entry: two
-- input { [1i64, -2i64] [true] } output { [1i64, -2i64, 7i64] [true, true] }
entry two (b: bags): bags = (b.0 ++ [7], b.1 ++ b.1)

-- ==
-- entry: in_record
-- input { 5i64 [1i64, 2i64] } output { 6i64 [2i64] }
entry in_record (r: named i64): named i64 = {name = r.name + 1, items = filter (> 1) r.items}

def made (f: maker) (n: i64): i64 = length (f n) + length (f (n + 1))

-- ==
-- entry: by_function
-- input { 3i64 } output { 7i64 2i64 }
entry by_function (n: i64): (i64, i64) = (made iota n, made (\k -> filter (== 2) (iota k)) n)

def walk (xs: bag i64) (left: i64): bag i64 =
  if left == 0 then xs else walk (filter (> left) xs) (left - 1)

-- ==
-- entry: recursive
-- input { [1i64, 2i64, 3i64, 4i64] } output { [3i64, 4i64] }
entry recursive [n] (xs: [n]i64): bag i64 = walk xs 2

-- ==
-- entry: both_sizes
-- input { [1i64] [2i64, 3i64] } output { 2i64 4i64 }
entry both_sizes (xs: bag i64) (ys: bag i64): (i64, i64) =
  let zs: bag i64 = filter (> 0) (xs ++ ys)
  in (length xs * length ys, length zs + xs[0])

-- ==
-- entry: in_sum
-- input { [1i64, -5i64] } output { 1i64 }
-- input { [-5i64] } output { 0i64 }
entry in_sum (xs: bag i64): i64 =
  let found: option (bag i64) = if i64.sum xs < -4 then #none else #some (positive xs)
  in match found case #some ys -> length ys case #none -> if length xs > 1 then 1 else 0

-- ==
-- entry: sizes
-- input { [[1i64, 2i64], [3i64, 4i64]] } output { [[2i64, 2i64], [3i64, 5i64]] [[1i64, 2i64], [3i64, 4i64]] }
entry sizes [n] (g: square [n]): (square [n], grid [] []) =
  (tabulate_2d n n (\i j -> if i == j then g[i, j] + 1 else g[i, j]), g)

-- ==
-- entry: computed
-- input { [1i64, 2i64] } output { [[1i64, 2i64, 0i64], [1i64, 2i64, 0i64]] }
entry computed [n] (xs: [n]i64): grid [2] [n + 1] = [xs ++ [0], xs ++ [0]]

-- Loops that name their sizes, and counters without names.

-- ==
-- entry: halved
-- input { [1i64, 2i64, 3i64, 4i64, 5i64] } output { [1i64] }
entry halved [n] (xs: [n]i64): ?[m].[m]i64 =
  loop [k] (ys: [k]i64) = xs while k > 1 do ys[:k / 2]

-- ==
-- entry: grown
-- input { 4i64 } output { [0i64, 1i64, 2i64, 3i64] }
-- input { 0i64 } output { empty([0]i64) }
entry grown (n: i64): ?[m].[m]i64 = loop [k] (ys: [k]i64) = [] for _ < n do ys ++ [k]

-- ==
-- entry: kept_size
-- input { [1i64, 2i64] 3i64 } output { [7i64, 8i64] }
entry kept_size [n] (xs: [n]i64) (m: i64): [n]i64 =
  loop [k] (ys: [k]i64) = xs for _ < m do map (+ k) ys

-- ==
-- entry: twice
-- input { 3i64 } output { 8i64 }
entry twice (n: i64): i64 = loop x = 1 for _ < n do 2 * x
