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
