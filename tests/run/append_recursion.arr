-- Recursive functions that append what their calls give, in every place and order.

-- Quicksort: a call, a literal, a call.
def sorted (xs: []i64): []i64 =
  if length xs < 2 then xs
  else
    let pivot = xs[0]
    let rest = tail xs
    in sorted (filter (< pivot) rest) ++ [pivot] ++ sorted (filter (>= pivot) rest)

-- ==
-- entry: quicksort
-- input { empty([0]i64) } output { empty([0]i64) }
-- input { [3i64] } output { [3i64] }
-- input { [3i64, 1i64, 2i64, 3i64, -5i64, 9i64, 0i64] } output { [-5i64, 0i64, 1i64, 2i64, 3i64, 3i64, 9i64] }
-- input { [1i64, 2i64, 3i64, 4i64] } output { [1i64, 2i64, 3i64, 4i64] }
-- input { [4i64, 3i64, 2i64, 1i64] } output { [1i64, 2i64, 3i64, 4i64] }
entry quicksort (xs: []i64): []i64 = sorted xs

-- What the entry was given is its caller's, and stays as it is.
-- ==
-- entry: sorted_after
-- input { [3i64, 1i64] [2i64, 0i64] } output { [3i64, 1i64, 0i64, 2i64, 7i64] [3i64, 1i64] }
entry sorted_after (xs: []i64) (ys: []i64): ([]i64, []i64) = (xs ++ sorted ys ++ [7], xs)

-- The results in the other order, one twice, one looked at.
def turned (n: i64): []i64 =
  if n < 1 then [n]
  else
    let l = turned (n - 1)
    let r = turned (n - 2)
    in r ++ [length l] ++ l ++ (if n == 2 then r else [])

-- ==
-- entry: turn
-- input { 0i64 } output { [0i64] }
-- input { 1i64 } output { [-1i64, 1i64, 0i64] }
-- input { 2i64 } output { [0i64, 3i64, -1i64, 1i64, 0i64, 0i64] }
-- input { 3i64 } output { [-1i64, 1i64, 0i64, 6i64, 0i64, 3i64, -1i64, 1i64, 0i64, 0i64] }
entry turn (n: i64): []i64 = turned n

-- Two results, of which one is appended in turn, the other not; and a scalar.
def both (n: i64): ([]i64, []f32, i64) =
  if n == 0 then ([], [0.5], 1)
  else
    let (a, b, c) = both (n - 1)
    let (d, e, f) = both (n / 2 - n % 2 - 1 |> i64.max 0)
    in (a ++ [n] ++ d, e ++ b, c + f)

-- ==
-- entry: pairs
-- input { 0i64 } output { empty([0]i64) [0.5f32] 1i64 }
-- input { 1i64 } output { [1i64] [0.5f32, 0.5f32] 2i64 }
-- input { 3i64 } output { [1i64, 2i64, 3i64] [0.5f32, 0.5f32, 0.5f32, 0.5f32] 4i64 }
-- input { 4i64 } output { [1i64, 2i64, 3i64, 4i64, 1i64] [0.5f32, 0.5f32, 0.5f32, 0.5f32, 0.5f32, 0.5f32] 6i64 }
entry pairs (n: i64): ([]i64, []f32, i64) = both n

-- A call in last place, and one in a loop.
def chopped (n: i64) (k: i64): []i64 =
  if n <= 0 then []
  else if n % 3 == 0 then chopped (n - 1) k
  else if n % 5 == 0 then loop a = [n] for i < 2 do a ++ chopped (i + n % 2) k ++ [i]
  else [n * k] ++ chopped (n - 1) (k + 1)

-- ==
-- entry: chop
-- input { 0i64 1i64 } output { empty([0]i64) }
-- input { 2i64 1i64 } output { [2i64, 2i64] }
-- input { 7i64 1i64 } output { [7i64, 5i64, 2i64, 0i64, 4i64, 3i64, 1i64] }
entry chop (n: i64) (k: i64): []i64 = chopped n k

-- One array to the functions of several elements: calls in the function of a map.
-- ==
-- entry: lengths
-- input { [0i64, 2i64, 7i64] } output { [0i64, 2i64, 7i64] [0i64, 2i64, 7i64] }
entry lengths [n] (xs: [n]i64): ([n]i64, [n]i64) =
  (map (\x -> length (chopped x 1)) xs, map (\x -> length ([] ++ chopped x 1)) xs)

-- Calls that fail: nothing is left behind.
def failing (n: i64): []i64 =
  if n < 0 then [1 / (n + 1)] else failing (n - 1) ++ [n] ++ failing (n - 2)

-- ==
-- entry: fail
-- input { 3i64 } error: division
entry fail (n: i64): []i64 = failing n

-- Pairs of points in a binary tree, as in quadtree: arrays of records, offsets, owned parts.
def halves [n] (most: i64) (at: i64) (xs: [n]i64): ([]{at: i64, count: i64}, []i64) =
  if n == 0 then ([], [])
  else if n <= most then ([{at, count = n}], xs)
  else
    let middle = i64.sum xs / n
    let low = filter (<= middle) xs
    let high = filter (> middle) xs
    in if length low == n then ([{at, count = n}], low)
       else
         let (a, p) = halves most at low
         let (b, q) = halves most (at + length low) high
         in (a ++ b, p ++ q)

-- ==
-- entry: tree
-- input { 1i64 [5i64, 1i64, 4i64, 2i64] } output { [0i64, 1i64, 2i64, 3i64] [1i64, 1i64, 1i64, 1i64] [1i64, 2i64, 4i64, 5i64] }
-- input { 2i64 [5i64, 1i64, 5i64, 5i64] } output { [0i64, 1i64] [1i64, 3i64] [1i64, 5i64, 5i64, 5i64] }
-- input { 2i64 empty([0]i64) } output { empty([0]i64) empty([0]i64) empty([0]i64) }
-- input { 9i64 [2i64, 1i64] } output { [0i64] [2i64] [2i64, 1i64] }
entry tree (most: i64) (xs: []i64): ([]{at: i64, count: i64}, []i64) = halves most 0 xs

-- Arrays that grow in loops: from nothing, from what is the caller's, two at once, each other's.
-- ==
-- entry: grown
-- input { 0i64 [8i64] } output { empty([0]i64) [8i64] empty([0]i64) }
-- input { 5i64 [8i64] } output { [0i64, 1i64, 4i64, 9i64, 16i64] [8i64, 0i64, 1i64, 2i64, 3i64, 4i64] [4i64, 3i64, 2i64, 1i64, 0i64] }
entry grown (n: i64) (xs: []i64): ([]i64, []i64, []i64) =
  loop (a, b, c) = ([], xs, []) for i < n do (a ++ [i * i], b ++ [i], [i] ++ c)

-- ==
-- entry: crossed
-- input { 4i64 } output { [1i64, 2i64, 2i64] [2i64] }
entry crossed (n: i64): ([]i64, []i64) =
  loop (a, b) = ([1], [2]) for i < n do if i % 2 == 0 then (b, a ++ b) else (b, a)

-- Leaves that give what the function was given: to nothing it is appended by being it.
def counted (n: i64) (xs: []i64): []i64 =
  if n <= 0 then xs else if n % 3 == 0 then counted (n - 1) xs ++ [n] else counted (n - 1) xs

-- ==
-- entry: given
-- input { 0i64 [5i64, 6i64] } output { [5i64, 6i64] [5i64, 6i64] [1i64, 5i64, 6i64] }
-- input { 4i64 [5i64] } output { [5i64, 3i64] [5i64] [1i64, 5i64, 3i64] }
-- input { 2i64 empty([0]i64) } output { empty([0]i64) empty([0]i64) [1i64] }
entry given (n: i64) (xs: []i64): ([]i64, []i64, []i64) =
  (counted n xs, xs, [1] ++ counted n xs)

-- What a leaf gave is not the caller's to change.
-- ==
-- entry: changed
-- input { 0i64 [5i64, 6i64] } output { [9i64, 6i64] [5i64, 6i64] [5i64, 6i64, 1i64] }
-- input { 3i64 [5i64, 6i64] } output { [9i64, 6i64, 3i64] [5i64, 6i64] [5i64, 6i64, 3i64, 1i64] }
entry changed (n: i64) (xs: []i64): ([]i64, []i64, []i64) =
  let ys = map id xs
  let zs = counted n ys
  in (zs with [0] = 9, ys, counted n ys ++ [1])
