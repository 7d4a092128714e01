-- Slices: bounds, steps, and what they check.

-- ==
-- entry: middle
-- input { [1, 2, 3, 4, 5] 1i64 3i64 } output { [2, 3] }
-- input { [1, 2, 3, 4, 5] 0i64 5i64 } output { [1, 2, 3, 4, 5] }
-- input { [1, 2, 3, 4, 5] 5i64 5i64 } output { empty([0]i32) }
-- input { [1, 2, 3, 4, 5] 9i64 9i64 } output { empty([0]i32) }
-- input { [1, 2, 3, 4, 5] 2i64 7i64 } error: slice 2:7 is out of bounds for an array of length 5
-- input { [1, 2, 3, 4, 5] -1i64 3i64 } error: slice -1:3 is out of bounds for an array of length 5
-- input { [1, 2, 3, 4, 5] 3i64 2i64 } error: slice 3:2 is out of bounds for an array of length 5
entry middle [n] (xs: [n]i32) (i: i64) (j: i64): [j - i]i32 = xs[i:j]

-- ==
-- entry: from
-- input { [1, 2, 3] 1i64 } output { [2, 3] }
-- input { [1, 2, 3] 3i64 } output { empty([0]i32) }
-- input { [1, 2, 3] 4i64 } error: slice 4: is out of bounds for an array of length 3
-- input { [1, 2, 3] -1i64 } error: slice -1: is out of bounds for an array of length 3
entry from [n] (xs: [n]i32) (i: i64): [n - i]i32 = xs[i:]

-- ==
-- entry: up_to
-- input { [1, 2, 3] 2i64 } output { [1, 2] }
-- input { [1, 2, 3] 0i64 } output { empty([0]i32) }
-- input { [1, 2, 3] 4i64 } error: slice :4 is out of bounds for an array of length 3
-- input { [1, 2, 3] -1i64 } error: slice :-1 is out of bounds for an array of length 3
entry up_to [n] (xs: [n]i32) (m: i64): [m]i32 = xs[:m]

-- ==
-- entry: whole
-- input { [1, 2, 3] } output { [1, 2, 3] [3, 2, 1] }
-- input { empty([0]i32) } output { empty([0]i32) empty([0]i32) }
entry whole [n] (xs: [n]i32): ([n]i32, [n]i32) = (xs[:], xs[::-1])

-- ==
-- entry: every
-- input { [1, 2, 3, 4, 5] 2i64 } output { [1, 3, 5] }
-- input { [1, 2, 3, 4, 5] 3i64 } output { [1, 4] }
-- input { [1, 2, 3, 4, 5] 9i64 } output { [1] }
-- input { [1, 2, 3, 4, 5] -2i64 } output { [5, 3, 1] }
-- input { [1, 2, 3, 4, 5] -1i64 } output { [5, 4, 3, 2, 1] }
-- input { empty([0]i32) 2i64 } output { empty([0]i32) }
-- input { empty([0]i32) -2i64 } output { empty([0]i32) }
-- input { [1, 2] 0i64 } error: slice ::0 has the step 0
entry every [n] (xs: [n]i32) (s: i64): ?[k].[k]i32 = xs[::s]

-- ==
-- entry: stepping
-- input { [0, 1, 2, 3, 4, 5] 1i64 6i64 2i64 } output { [1, 3, 5] }
-- input { [0, 1, 2, 3, 4, 5] 1i64 5i64 2i64 } output { [1, 3] }
-- input { [0, 1, 2, 3, 4, 5] 5i64 0i64 -2i64 } output { [5, 3, 1] }
-- input { [0, 1, 2, 3, 4, 5] 5i64 -1i64 -2i64 } output { [5, 3, 1] }
-- input { [0, 1, 2, 3, 4, 5] 4i64 1i64 -3i64 } output { [4] }
-- input { [0, 1, 2, 3, 4, 5] 2i64 2i64 -3i64 } output { empty([0]i32) }
-- input { [0, 1, 2, 3, 4, 5] 0i64 10i64 5i64 } output { [0, 5] }
-- input { [0, 1, 2, 3, 4, 5] 0i64 11i64 5i64 } error: slice 0:11:5 is out of bounds for an array of length 6
-- input { [0, 1, 2, 3, 4, 5] 6i64 0i64 -1i64 } error: slice 6:0:-1 is out of bounds for an array of length 6
-- input { [0, 1, 2, 3, 4, 5] 3i64 -2i64 -1i64 } error: slice 3:-2:-1 is out of bounds for an array of length 6
-- input { [0, 1, 2, 3, 4, 5] 1i64 4i64 -1i64 } error: slice 1:4:-1 is out of bounds for an array of length 6
entry stepping [n] (xs: [n]i32) (i: i64) (j: i64) (s: i64): ?[k].[k]i32 = xs[i:j:s]

-- ==
-- entry: known_steps
-- input { [0, 1, 2, 3, 4, 5, 6] } output { [0, 2, 4, 6] [6, 3, 0] [4, 3, 2, 1, 0] [5, 4] }
-- input { [0, 1, 2] } error: slice 4::-1 is out of bounds for an array of length 3
entry known_steps [n] (xs: [n]i32): ?[a][b][c][d].([a]i32, [b]i32, [c]i32, [d]i32) =
  (xs[::2], xs[::-3], xs[4::-1], xs[5:3:-1])

-- ==
-- entry: neighbours
-- input { [1, 2, 4, 8] } output { [3, 6, 12] }
-- input { [1] } output { empty([0]i32) }
-- input { empty([0]i32) } error: slice (1:|:-1) is out of bounds for an array of length 0
entry neighbours [n] (xs: [n]i32): [n - 1]i32 = map2 (+) xs[1:] xs[:n - 1]

-- ==
-- entry: of_pairs
-- input { [1, 2, 3] [1.5, 2.5, 3.5] } output { [2, 3] [2.5, 3.5] }
entry of_pairs [n] (xs: [n]i32) (ys: [n]f64): ([n - 1]i32, [n - 1]f64) = unzip (zip xs ys)[1:]

-- ==
-- entry: of_a_slice
-- input { [1, 2, 3, 4, 5] } output { [4, 3] 3 }
entry of_a_slice [n] (xs: [n]i32): ([2]i32, i32) = (xs[1:][1:3][::-1], xs[1:][1])

-- ==
-- entry: of_what_is_made
-- input { [3, -1, 4, -1, 5] } output { [4, 5] 9 }
-- input { [3] } output { empty([0]i32) 0 }
-- input { [-3] } error: slice 1: is out of bounds for an array of length 0
entry of_what_is_made [n] (xs: [n]i32): ?[k].([k]i32, i32) =
  let some = (filter (> 0) xs)[1:]
  in (some, i32.sum some)

-- ==
-- entry: in_workers
-- input { [1, 2, 3, 4] [0i64, 2i64, 4i64] } output { [10, 7, 0] }
-- input { [1, 2, 3, 4] [0i64, 5i64] } error: slice 5: is out of bounds for an array of length 4
entry in_workers [n] [m] (xs: [n]i32) (starts: [m]i64): [m]i32 =
  map (\i -> i32.sum xs[i:]) starts

-- ==
-- entry: in_branches
-- input { [1, 2, 3] true } output { [1, 2] }
-- input { [1, 2, 3] false } output { [2, 3] }
entry in_branches [n] (xs: [n]i32) (first: bool): [n - 1]i32 =
  if first then xs[:n - 1] else xs[1:]

def halving [n] (xs: [n]i32): i32 =
  if n == 0 then 0 else if n == 1 then xs[0] else halving xs[:n / 2] + halving xs[n / 2:]

-- ==
-- entry: recursive
-- input { [1, 2, 3, 4, 5, 6, 7] } output { 28 }
-- input { empty([0]i32) } output { 0 }
entry recursive [n] (xs: [n]i32): i32 = halving xs

-- The bounds are any expressions.
-- ==
-- entry: computed
-- input { [1, 2, 3, 4, 5] } output { [3, 4] }
entry computed [n] (xs: [n]i32): ?[k].[k]i32 = xs[n / 2:if n > 3 then n - 1 else n]

-- Two consumers of one slice.
-- ==
-- entry: consumers
-- input { [1, 2, 3, 4] } output { 9 [4, 6, 8] }
entry consumers [n] (xs: [n]i32): (i32, [n - 1]i32) =
  let tail = xs[1:]
  in (i32.sum tail, map (* 2) tail)
