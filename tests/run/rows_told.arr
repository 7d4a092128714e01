-- Rows whose length is that of a filtered array, which only its length uses.

-- ==
-- entry: turned
-- input { [1, -1, 2, 3] } output { [[0, 0, 0], [0, 1, 2], [0, 2, 4]] }
-- input { [-1] } output { empty([0][3]i64) }
entry turned (xs: []i64) =
  let [k] _v: [k]i64 = filter (> 0) xs in transpose (generate 3 (\j -> tabulate k (\i -> i * j)))

-- ==
-- entry: made
-- input { [1, -1, 2, 3] } output { [[0, 0, 0], [0, 1, 2], [0, 2, 4]] }
-- input { [-1] } output { empty([3][0]i64) }
entry made (xs: []i64) =
  let [k] _v: [k]i64 = filter (> 0) xs in generate 3 (\j -> tabulate k (\i -> i * j))

-- ==
-- entry: turned_twice
-- input { [1, -1, 2, 3] } output { [[0, 1, 2], [1, 2, 3], [2, 3, 4]] }
-- input { [-1] } output { empty([3][0]i64) }
entry turned_twice (xs: []i64) =
  let [k] _v: [k]i64 = filter (> 0) xs
  in transpose (transpose (generate 3 (\j -> tabulate k (\i -> i + j))))

-- ==
-- entry: replicated
-- input { [1, -1, 2, 3] } output { [[0, 0], [1, 1], [2, 2]] }
-- input { [-1] } output { empty([0][2]i64) }
entry replicated (xs: []i64) =
  let [k] _v: [k]i64 = filter (> 0) xs in transpose (replicate 2 (iota k))

-- ==
-- entry: mapped
-- input { [1, -1, 2, 3] } output { [[0, 1], [0, 1], [0, 1]] }
-- input { [-1] } output { empty([0][2]i64) }
entry mapped (xs: []i64) =
  let [k] _v: [k]i64 = filter (> 0) xs in transpose (map (\j -> replicate k j) (iota 2))

-- ==
-- entry: planes
-- input { [1, -1, 2, 3] } output { [[[0, 0], [0, 1], [0, 2]], [[1, 1], [1, 2], [1, 3]]] }
-- input { [-1] } output { empty([2][0][2]i64) }
entry planes (xs: []i64) =
  let [k] _v: [k]i64 = filter (> 0) xs
  in map transpose (generate 2 (\p -> generate 2 (\j -> tabulate k (\i -> p + i * j))))

-- ==
-- entry: by_another
-- input { [1, -1, 2, 3] } output { [0, 2, 4] [[0, 1], [1, 2], [2, 3]] }
-- input { [-1] } output { empty([0]i64) empty([0][2]i64) }
entry by_another (xs: []i64) =
  let [k] _v: [k]i64 = filter (> 0) xs
  in (let v = tabulate k (\i -> 2 * i)
      in (v, transpose (generate 2 (\j -> tabulate k (\i -> i + j)))))

-- ==
-- entry: of_records
-- input { [1, -1, 2, 3] } output { [[0, 0], [1, 1], [2, 2]] [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]] }
-- input { [-1] } output { empty([0][2]i64) empty([2][0]f64) }
entry of_records (xs: []i64) =
  let [k] _v: [k]i64 = filter (> 0) xs
  in (let w = generate 2 (\j -> tabulate k (\i -> {a = i, b = f64.i64 j}))
      in (transpose (map (map (.a)) w), map (map (.b)) w))

-- The length is a scalar.
-- ==
-- entry: counted
-- input { [1, -1, 2, 3] } output { [[0, 0, 0], [0, 1, 2], [0, 2, 4]] }
entry counted (xs: []i64) =
  let k = length (filter (> 0) xs) in transpose (generate 3 (\j -> tabulate k (\i -> i * j)))

-- Rows are replaced in a loop.
-- ==
-- entry: replaced
-- input { [1, -1, 2, 3] 2 } output { [[9, 10, 11], [9, 10, 11], [0, 2, 4]] }
-- input { [-1] 2 } output { empty([3][0]i64) }
-- input { [1, -1, 2, 3] 4 } error: index 3 is out of bounds
entry replaced (xs: []i64) (s: i64) =
  let [k] _v: [k]i64 = filter (> 0) xs
  in loop w = generate 3 (\j -> tabulate k (\i -> i * j)) for t < s do w with [t] = tabulate k (+ 9)

-- ==
-- entry: replaced_by_the_array
-- input { [1, -1, 2, 3] 2 } output { [[1, 1, 0], [2, 2, 2], [3, 3, 4]] }
entry replaced_by_the_array (xs: []i64) (s: i64) =
  let [k] v: [k]i64 = filter (> 0) xs
  in transpose (loop w = generate 3 (\j -> tabulate k (\i -> i * j)) for t < s do w with [t] = v)

-- ==
-- entry: in_steps
-- input { [[1, -1, 2, 3], [1, 1, 1, 1], [-1, -2, -3, -4]] } output { [9, 18, 0] }
entry in_steps [n] [m] (xss: [n][m]i64) =
  map (\xs ->
    let [k] _v: [k]i64 = filter (> 0) xs
    let w = transpose (generate 3 (\j -> tabulate k (\i -> i * j)))
    in sum (map sum w)) xss

-- ==
-- entry: by_flatmap
-- input { [1, 0, 2] } output { [[0, 0], [0, 1], [0, 2]] }
entry by_flatmap (xs: []i64) =
  let [k] _v: [k]i64 = flatmap (\x -> iota x) xs
  in transpose (generate 2 (\j -> tabulate k (\i -> i * j)))
