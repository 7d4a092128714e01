-- Parts of what a filter, a flatmap or a scan gives are taken in its pass.

def p (x: i64): bool = x % 3 == 0

-- ==
-- entry: taken
-- input { 2i64 [3, 1, 6, 9] } output { 9 }
-- input { 0i64 [3, 1, 6, 9] } output { 0 }
-- input { 3i64 [3, 1, 6, 9] } output { 18 }
-- input { 4i64 [3, 1, 6, 9] } error: index 3 is out of bounds for an array of length 3
-- input { -1i64 [3, 1, 6, 9] } error: negative size -1 in generate
-- input { 0i64 empty([0]i64) } output { 0 }
-- input { 1i64 empty([0]i64) } error: index 0 is out of bounds for an array of length 0
-- structure ilp { clusters 1 reads 1 writes 0 arrays 0 }
entry taken [n] (k: i64) (xs: [n]i64): i64 = i64.sum (take k (filter p xs))

-- ==
-- entry: dropped
-- input { 2i64 [3, 1, 6, 9] } output { 9 }
-- input { 0i64 [3, 1, 6, 9] } output { 18 }
-- input { 3i64 [3, 1, 6, 9] } output { 0 }
-- input { 4i64 [3, 1, 6, 9] } error: negative size -1 in generate
-- input { -1i64 [3, 1, 6, 9] } error: index -1 is out of bounds for an array of length 3
-- structure ilp { clusters 1 reads 1 writes 0 arrays 0 }
entry dropped [n] (k: i64) (xs: [n]i64): i64 = i64.sum (drop k (filter p xs))

-- ==
-- entry: tails
-- input { [3, 1, 6, 9] } output { 15 9 24 17 }
-- input { [3] } output { 0 0 0 0 }
-- input { [1] } error: negative size -1 in generate
-- input { empty([0]i64) } error: negative size -1 in generate
-- random input { [8]i64 }
-- structure ilp { clusters 1 reads 1 writes 0 arrays 0 }
entry tails [n] (xs: [n]i64): (i64, i64, i64, i64) =
  let ys = filter p xs
  let zs = scan (+) 0 xs
  in (i64.sum (tail ys),
      i64.sum (init ys),
      i64.sum (map (\z -> z - 3) (tail zs)),
      i64.sum (init zs))

-- The neighbours of a series, and the positions of its parts.
-- ==
-- entry: neighbours
-- input { [3, 1, 6, 9] } output { 72 [3, 3] 1 }
-- input { [3] } output { 0 empty([0]i64) -1 }
-- input { [1] } error: negative size -1 in generate
-- random input { [10000]i64 }
-- structure ilp { clusters 1 reads 1 writes 1 arrays 0 }
entry neighbours [n] (xs: [n]i64): ?[k].(i64, [k]i64, i64) =
  let ys = filter p xs
  let pairs = zip (tail ys) (init ys)
  let rises = filter (>= 3) (map (\(y, x) -> y - x) pairs)
  let (_, at) =
    fold_index (\(most, at) i (y, x) -> if y - x >= most then (y - x, i) else (most, at)) (0, -1)
      pairs
  in (i64.sum (map (\(y, x) -> y * x) pairs), rises, i64.i64 at)

-- A window of three.
-- ==
-- entry: smoothed
-- input { [3, 1, 6, 9, 12] } output { [18, 27] }
-- input { [3, 6] } output { empty([0]i64) }
-- random input { [10000]i64 }
-- structure ilp { clusters 1 reads 1 writes 1 arrays 0 }
entry smoothed [n] (xs: [n]i64): ?[k].[k]i64 =
  let ys = filter p xs
  in filter (> 0) (generate (length ys - 2) (\i -> ys[i] + ys[i + 1] + ys[i + 2]))

-- ==
-- entry: strided
-- input { [3, 1, 6, 9, 0, 12] } output { 24 6 0 }
-- input { [3, 1] } output { 3 0 0 }
-- input { [3, 6] } output { 3 6 0 }
-- input { [1] } error: slice 1::2 is out of bounds for an array of length 0
-- random input { [10000]i64 }
-- structure ilp { clusters 1 reads 1 writes 0 arrays 0 }
entry strided [n] (xs: [n]i64): (i64, i64, i64) =
  let ys = filter p xs
  in (i64.sum ys[::2], i64.sum ys[1::2], i64.sum (map (\(i, y) -> i * y / 3) (indexed ys[::3])))

-- ==
-- entry: sliced
-- input { 1i64 3i64 [3, 1, 6, 9, 0, 12] } output { 15 9 6 }
-- input { 2i64 2i64 [3, 1, 6, 9, 0, 12] } output { 0 0 0 }
-- input { 2i64 6i64 [3, 1, 6, 9, 0, 12] } error: slice 2:6 is out of bounds for an array of length 5
-- input { -1i64 2i64 [3, 1, 6, 9, 0, 12] } error: slice -1:2 is out of bounds for an array of length 5
-- input { 2i64 1i64 [3, 1, 6, 9, 0, 12] } error: slice 2:1 is out of bounds for an array of length 5
-- structure ilp { clusters 1 reads 1 writes 0 arrays 0 }
entry sliced [n] (i: i64) (j: i64) (xs: [n]i64): (i64, i64, i64) =
  let ys = filter p xs
  in (i64.sum ys[i:j], fold_index (\acc i y -> acc + i * y) 0 ys[i:j], i64.sum ys[i:j:2])

-- ==
-- entry: open_slices
-- input { [3, 1, 6, 9, 0, 12] } output { 21 18 }
-- input { [3, 1, 6] } error: slice :3 is out of bounds for an array of length 2
-- structure ilp { clusters 1 reads 1 writes 0 arrays 0 }
entry open_slices [n] (xs: [n]i64): (i64, i64) =
  let ys = filter p xs
  in (i64.sum ys[2:], i64.sum ys[:3])

-- Of a scan and of a flatmap.
-- ==
-- entry: of_others
-- input { 2i64 [1, 2, 3, 4] } output { 4 16 7 [0, 2, 0] }
-- input { 5i64 [1, 2, 3, 4] } error: index 4 is out of bounds for an array of length 4
-- random input { 100i64 [10000]i64 }
-- structure ilp { clusters 1 reads 1 writes 1 arrays 0 }
entry of_others [n] (k: i64) (xs: [n]i64): ?[m].(i64, i64, i64, [m]i64) =
  let ys = scan (+) 0 xs
  let zs = flatmap (\x -> map (* x) (iota (x % 5 % 3))) xs
  in (i64.sum (take k ys),
      i64.sum (drop k ys),
      i64.sum (map (% 7) ys[::2]),
      filter (\z -> z % 2 == 0 || z == 3) (drop 1 zs))

-- Parts of parts, which are results at their own size, and beside other arrays.
-- ==
-- entry: results
-- input { [5, 7] [3, 1, 6, 9] } output { [3, 6] [6, 9] 57 [6] }
-- input { [5, 7, 8, 9] [3, 1, 6, 9] } error: index 3 is out of bounds for an array of length 3
-- input { empty([0]i64) [1] } error: negative size -1 in generate
entry results [n] [k] (ws: [k]i64) (xs: [n]i64): ?[m].([k]i64, [m]i64, i64, [m - 1]i64) =
  let ys = filter p xs
  let few = take k ys
  let rest = tail ys
  in (few, rest, i64.sum (map2 (*) few ws), init rest)

-- ==
-- entry: written
-- random input { 3i64 [10000]i64 }
-- random input { 0i64 [0]i64 }
entry written [n] (k: i64) (xs: [n]i64): [k]i64 =
  map (+ 1) (take k (map (* 2) (filter p xs)))

-- Elements that are not taken cannot fail in a consumer.
-- ==
-- entry: consumer_fails
-- input { 2i64 [3, 0] } error: division by zero
-- input { 3i64 [3, 6] } error: index 2 is out of bounds for an array of length 2
-- input { 1i64 [3, 0] } output { 3 }
entry consumer_fails [n] (k: i64) (xs: [n]i64): i64 = i64.sum (map (9 /) (take k (filter p xs)))

-- Rows stay in memory.
-- ==
-- entry: rows
-- input { [[3, 1], [1, 2], [6, 0]] } output { [[6, 0]] }
entry rows [n] (xss: [n][2]i64): ?[k].[k][2]i64 =
  filter (\row -> row[1] == 0) (tail (filter (\row -> p row[0]) xss))

-- Ends of parts.
-- ==
-- entry: ends_of_parts
-- input { 2i64 [3, 1, 6, 9, 12] } output { 3 6 6 12 1i64 }
-- input { 0i64 [3, 1, 6, 9, 12] } error: index 0 is out of bounds for an array of length 0
-- input { 1i64 [3] } error: index 0 is out of bounds for an array of length 0
-- structure ilp { clusters 1 reads 1 writes 0 arrays 0 }
entry ends_of_parts [n] (k: i64) (xs: [n]i64): (i64, i64, i64, i64, i64) =
  let ys = filter p xs
  let (few, rest) = (take k ys, tail ys)
  in (head few, last few, head rest, last rest, argmax (<=) few)

-- Neighbours of a scan, the earlier ones first.
-- ==
-- entry: of_a_scan
-- input { [3, 1, 6, 9] } output { 58 }
-- input { [3] } output { 0 }
-- random input { [10000]i64 }
-- structure ilp { clusters 1 reads 1 writes 0 arrays 0 }
entry of_a_scan [n] (xs: [n]i64): i64 =
  let zs = scan (+) 0 (map (% 10) xs)
  in i64.sum (map2 (\x y -> (y - x) * (y - x) / 2) (init zs) (tail zs))
     + i64.sum (map (const 0) (init zs))
