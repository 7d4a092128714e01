-- Arrays that others are appended to: who else has them must not see it.

-- ==
-- entry: counted
-- input { 0 } output { empty([0]i64) }
-- input { 1 } output { [0] }
-- input { 5 } output { [0, 1, 2, 3, 4] }
entry counted (k: i64): []i64 = loop a = [] for i < k do a ++ [i]

-- ==
-- entry: several
-- input { 0 } output { [true] }
-- input { 3 } output { [true, true, false, false, true, true, false] }
entry several (k: i64): []bool = loop a = [true] for i < k do a ++ [i % 2 == 0, i % 2 != 0]

-- The old array is carried, too.
-- ==
-- entry: shared
-- input { 0 } output { [1] [2] }
-- input { 1 } output { [2] [1] }
-- input { 2 } output { [2, 1] [2] }
-- input { 7 } output { [2, 1, 4] [2, 1, 4, 5] }
entry shared (k: i64): ([]i64, []i64) =
  loop (a, b) = ([1], [2]) for i < k do (if i % 3 == 0 then b else a ++ [i], a)

-- Both go on from the same array.
-- ==
-- entry: forked
-- input { [1.5f32, 2] } output { [1.5f32, 2, 1.5, 2, 3] [1.5f32, 2, 1.5, 2, 4, 5] }
-- input { empty([0]f32) } output { [3f32] [4f32, 5] }
entry forked [n] (xs: [n]f32): ([]f32, []f32) =
  let both = xs ++ xs
  in (both ++ [3], both ++ [4, 5])

-- What is appended is a part of what it is appended to, or all of it.
-- ==
-- entry: of_itself
-- input { 1 } output { [0, 0, 0] }
-- input { 4 } output { [0, 1, 2, 3, 2, 3, 0, 1, 2, 3, 2, 3] }
entry of_itself (k: i64): []i64 =
  let a = loop a = [] for i < k do a ++ [i]
  let b = a ++ a[k / 2 + k % 2:]
  let c = if k == 1 then b ++ b else b
  in c ++ (if k == 1 then a else c)

-- Doubled each time.
-- ==
-- entry: doubled
-- input { 0 } output { [7u8] }
-- input { 3 } output { [7u8, 7, 7, 7, 7, 7, 7, 7] }
entry doubled (k: i64): []u8 = loop a = [7] for _i < k do a ++ a

-- ==
-- entry: rows
-- input { 0 } output { [[0, 0]] }
-- input { 2 } output { [[0, 0], [0, 1], [10, 0], [1, 2], [10, 1]] }
entry rows (k: i64): [][2]i64 =
  loop a = [[0, 0]] for i < k do a ++ [[i, i + 1]] ++ [[10, i]]

-- ==
-- entry: matrices
-- input { 0 } output { [1, 2, 3, 4] }
-- input { 2 } output { [1, 2, 3, 4, 1, 3, 2, 4, 2, 3, 4, 5] }
entry matrices (k: i64): []i64 =
  flatten
    (flatten (loop a = [[[1, 2], [3, 4]]] for i < k do a ++ [map (map (+ i)) (transpose a[i])]))

-- An array with rows of no elements.
-- ==
-- entry: no_columns
-- input { 3 } output { 4 0 }
entry no_columns (k: i64): (i64, i64) =
  let none: [0]i64 = []
  let a = loop a = [none] for _i < k do a ++ [none]
  in (length a, length (flatten a))

-- ==
-- entry: recursive
-- input { 0 } output { empty([0]i64) }
-- input { 6 } output { [0, 1, 4, 9, 16, 25] }
def squares (i: i64) (k: i64) (a: *[]i64): *[]i64 =
  if i == k then a else squares (i + 1) k (a ++ [i * i])

entry recursive (k: i64): []i64 = squares 0 k []

-- What is read only goes through functions.
-- ==
-- entry: read
-- input { [3, 4] } output { [3, 4, 3, 4, 9] 14 }
def with_sum [n] (xs: [n]i64) (last: i64): []i64 = xs ++ xs ++ [last]

entry read [n] (xs: [n]i64): ([]i64, i64) = (with_sum xs 9, i64.sum (with_sum xs 0))

-- In workers, each has its own.
-- ==
-- entry: workers
-- input { [3, 0, 2] } output { [3, 0, 1] }
entry workers [n] (xs: [n]i64): [n]i64 =
  map (\x -> i64.sum (loop a = [] for i < x do a ++ [i])) xs

-- What filters and flatmaps keep has room behind it.
-- ==
-- entry: kept
-- input { [5, 6, 7, 8] } output { [5, 7, 5, 6, 7, 8, 9, 5, 7] }
-- input { empty([0]i64) } output { [9] }
entry kept [n] (xs: [n]i64): []i64 =
  let odd = filter (\x -> x % 2 == 1) xs
  let more = odd ++ xs
  in more ++ [9] ++ odd

-- ==
-- entry: grown
-- input { 100 } output { 4950 5051 166650 }
entry grown (k: i64): (i64, i64, i64) =
  let a = flatmap (\x -> iota x) (iota k)
  let b = a ++ iota k ++ [0]
  in (length a, length b, i64.sum b)

-- Large enough for pages of their own, which move.
-- ==
-- entry: large
-- input { 60 10000 } output { 600001 2999700000 [0, 1, 2] [9997, 9998, 9999, 7] }
entry large (k: i64) (n: i64): (i64, i64, []i64, []i64) =
  let a = loop a = [] for _i < k do a ++ iota n
  let b = a ++ [7]
  in (length b, i64.sum b - 7, b[:3], b[n * k - 3:])

-- What is appended may fail.
-- ==
-- entry: failing
-- input { 2 } output { [-6, -12] }
-- input { 3 } error: division by zero
entry failing (k: i64): []i64 = loop a = [] for i < k do a ++ [12 / (i - 2)]

-- With elements of each size.
-- ==
-- entry: sizes
-- input { 40 } output { 45 45 45 45 }
entry sizes (k: i64): (i64, i64, i64, i64) =
  let a = loop a = [1u8, 2, 3, 4, 5] for i < k do a ++ [u8.i64 i]
  let b = loop a = [1i16, 2, 3, 4, 5] for i < k do a ++ [i16.i64 i]
  let c = loop a = [1f32, 2, 3, 4, 5] for i < k do a ++ [f32.i64 i]
  let d = loop a = [1f64, 2, 3, 4, 5] for i < k do a ++ [f64.i64 i]
  in (length a, length b, length c, length d)
