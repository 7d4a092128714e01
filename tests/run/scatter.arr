-- `scatter`, `spread`, `reduce_by_index` and `hist`.

-- ==
-- entry: some
-- input { [1i64, 2i64, 3i64] [2i64, 0i64] [9i64, 8i64] } output { [8i64, 2i64, 9i64] [1i64, 2i64, 3i64] }
-- input { [1i64, 2i64] empty([0]i64) empty([0]i64) } output { [1i64, 2i64] [1i64, 2i64] }
-- input { empty([0]i64) [0i64, 1i64] [7i64, 7i64] } output { empty([0]i64) empty([0]i64) }
entry some [k] [n] (dest: [k]i64) (is: [n]i64) (vs: [n]i64): ([k]i64, [k]i64) =
  (scatter dest is vs, dest)

-- ==
-- entry: outside
-- input { [1i64, 2i64] [-1i64, 2i64, 1i64, 9223372036854775807i64] } output { [1i64, 7i64] }
entry outside [k] [n] (dest: [k]i64) (is: [n]i64): [k]i64 = scatter dest is (replicate n 7)

-- ==
-- entry: twice
-- input { [0i64, 0i64, 0i64] [1i64, 2i64, 3i64] } output { [3i64] }
entry twice [n] (is: [n]i64) (vs: [n]i64): [1]i64 = scatter [9] is vs

-- ==
-- entry: of_pairs
-- input { [1i64, 2i64] [true, true] } output { [1i64, 5i64] [true, false] }
entry of_pairs [n] (xs: [n]i64) (bs: [n]bool): ([n]i64, [n]bool) =
  unzip (scatter (zip xs bs) [1] [(5, false)])

-- ==
-- entry: spreading
-- input { 4i64 [3i64, 1i64, 9i64] } output { [0.5, 1.0, 0.5, 0.0] }
-- input { 0i64 [3i64, 1i64, 9i64] } output { empty([0]f64) }
-- input { -1i64 [3i64] } error: negative size
entry spreading [n] (k: i64) (is: [n]i64): [k]f64 = spread k 0.5 is (map f64.i64 (iota n))

-- ==
-- entry: by_index
-- input { [10i64, 20i64] [0i64, 1i64, 1i64, 5i64] [1i64, 2i64, 3i64, 4i64] } output { [11i64, 25i64] }
-- input { [10i64] empty([0]i64) empty([0]i64) } output { [10i64] }
entry by_index [k] [n] (dest: [k]i64) (is: [n]i64) (vs: [n]i64): [k]i64 =
  reduce_by_index dest (+) 0 is vs

-- ==
-- entry: counts
-- input { 3i64 [0i64, 2i64, 2i64, 7i64, -1i64] } output { [1i64, 0i64, 2i64] }
entry counts [n] (k: i64) (is: [n]i64): [k]i64 = hist (+) 0 k is (replicate n 1)

-- ==
-- entry: largest
-- input { 2i64 [0i64, 0i64] [3i64, 9i64] } output { [9i64, -9223372036854775808i64] }
entry largest [n] (k: i64) (is: [n]i64) (vs: [n]i64): [k]i64 = hist i64.max i64.lowest k is vs

-- ==
-- entry: with_producers
-- input { [5i64, 6i64, 7i64] } output { [14i64, 12i64, 10i64] }
entry with_producers [n] (xs: [n]i64): [n]i64 =
  scatter (map (* 0) xs) (map (\i -> n - 1 - i) (iota n)) (map (* 2) xs)

-- ==
-- entry: in_worker
-- input { [1i64, 2i64] } output { [11i64, 12i64] }
entry in_worker [n] (xs: [n]i64): [n]i64 =
  map (\x -> reduce (+) 0 (scatter [0, 0] [1, 0, 2] [x, 10, 99])) xs

-- ==
-- entry: counting_sort
-- input { 4i64 [3i64, 0i64, 2i64, 3i64, 1i64] } output { [0i64, 1i64, 2i64, 3i64, 3i64] }
entry counting_sort [n] (k: i64) (xs: [n]i64): [n]i64 =
  let counts = hist (+) 0 k xs (replicate n 1)
  let (out, _) =
    loop (out, at) = (map (* 0) xs, 0) for v < k do
      loop (out, at) for _j < counts[v] do (out with [at] = v, at + 1)
  in out

-- A histogram fills its own memory, which is no pass over data; several share the pass of what makes their arguments.
-- ==
-- entry: filled
-- input { 3i64 [0, 2, 0, 7] [1, 2, 3, 4] } output { [4, 0, 2] [3, -9223372036854775808, 2] 6 }
-- input { 0i64 [0] [1] } output { empty([0]i64) empty([0]i64) 0 }
-- input { -1i64 [0] [1] } error: negative size -1 in replicate
-- random input { 100i64 [10000]i64 [10000]i64 }
-- structure ilp { clusters 2 reads 3 writes 2 arrays 0 }
entry filled [n] (k: i64) (is: [n]i64) (vs: [n]i64): ([k]i64, [k]i64, i64) =
  let sums = hist (+) 0 k is vs
  in (sums, hist i64.max i64.lowest k is vs, reduce (+) 0 sums)

-- ==
-- entry: filtered_counts
-- input { [3, 1, 6, 9, 3] } output { [0, 2, 1, 1] }
-- random input { [10000]i64 }
-- structure ilp { clusters 1 reads 1 writes 1 arrays 0 }
entry filtered_counts [n] (xs: [n]i64): [4]i64 =
  let ys = filter (\x -> x % 3 == 0) xs
  in hist (+) 0 4 (map (/ 3) ys) (map (const 1) ys)

-- Of pairs of positions.
-- ==
-- entry: filled_2d
-- input { [0, 1, 1] [1, 0, 0] } output { [[0, 1], [2, 0]] }
-- structure ilp { clusters 1 reads 2 writes 1 arrays 0 }
entry filled_2d [n] (is: [n]i64) (js: [n]i64): [2][2]i64 =
  reduce_by_index_2d (replicate 2 (replicate 2 0)) (+) 0 (zip is js) (replicate n 1)

-- What is filled and also read before is an array as others are.
-- ==
-- entry: read_before
-- input { 2i64 [0, 0] } output { [2, 0] [1, 1] }
-- structure ilp { arrays 1 }
entry read_before [n] (k: i64) (is: [n]i64): ([k]i64, [k]i64) =
  let zeros = replicate k 0
  in (reduce_by_index (copy zeros) (+) 0 is (replicate n 1), map (+ 1) zeros)
