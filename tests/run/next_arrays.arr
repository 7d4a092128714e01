-- Loops whose next array gathers from the last one: the arrays are in two buffers by turns, and the result keeps the last one.

-- ==
-- entry: knapsack
-- input { 0i64 [1i64, 2i64, 3i64] 1i64 2i64 } auto output
-- allocates 1
-- input { 1i64 [1i64, 2i64, 3i64] 1i64 2i64 } auto output
-- allocates 1
-- input { 2i64 [1i64, 2i64, 3i64] 1i64 2i64 } auto output
-- allocates 2
-- input { 101i64 [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64] 2i64 2i64 } auto output
-- allocates 2
-- input { 7i64 empty([0]i64) 1i64 2i64 } auto output
-- random input { 8i64 [1000]i64 17i64 3i64 } auto output
-- allocates 2
-- structure { allocated 3 }
entry knapsack [m] (n: i64) (a: [m]i64) (w: i64) (v: i64): [m]i64 =
  loop acc = a for i < n do tabulate m (\j -> i64.max acc[j] (acc[i64.max 0 (j - w)] + v + i))

-- ==
-- entry: turned
-- input { 3i64 [1i64, 2i64, 3i64] } auto output
-- allocates 3
-- input { 3i64 empty([0]i64) } auto output
-- allocates 1
-- input { 0i64 [1i64, 2i64, 3i64] } auto output
-- random input { 100i64 [50]i64 } auto output
-- allocates 3
-- structure { allocated 3 }
entry turned [n] (m: i64) (xs: [n]i64): [m]i64 =
  fold (\acc x -> tabulate m (\j -> acc[j] * 2 + acc[(j + 1) % m] * x)) (replicate m 1) xs

-- What consumes the result reads it from its buffer.
-- ==
-- entry: turned_sum
-- input { 3i64 [1i64, 2i64, 3i64] } auto output
-- allocates 3
-- random input { 100i64 [50]i64 } auto output
-- structure { allocated 3 }
entry turned_sum [n] (m: i64) (xs: [n]i64): i64 =
  i64.sum (fold (\acc x -> tabulate m (\j -> acc[j] * 2 + acc[(j + 1) % m] * x)) (replicate m 1) xs)

-- Two results of one loop.
-- ==
-- entry: pair
-- input { 3i64 [1i64, 2i64, 3i64] } auto output
-- input { 3i64 empty([0]i64) } auto output
-- input { 0i64 [1i64, 2i64, 3i64] } auto output
-- random input { 33i64 [50]i64 } auto output
-- allocates 6
-- structure { allocated 6 }
entry pair [n] (m: i64) (xs: [n]i64): ([m]i64, [m]i64) =
  fold
    (\(a, b) x ->
      (tabulate m (\j -> a[j] * 3 + a[(j + 1) % m] * x),
       tabulate m (\j -> b[j] + a[(j + 2) % m] + b[(j + 1) % m])))
    (replicate m 1, replicate m 0) xs

-- ==
-- entry: matrix
-- input { 3i64 [1i64, 2i64, 3i64] } auto output
-- input { 3i64 empty([0]i64) } auto output
-- input { 0i64 [1i64, 2i64, 3i64] } auto output
-- random input { 17i64 [50]i64 } auto output
-- allocates 4
-- structure { allocated 4 }
entry matrix [n] (m: i64) (xs: [n]i64): [m][m]i64 =
  fold (\acc x -> tabulate_2d m m (\i j -> acc[i, j] * 5 + acc[(i + 1) % m, (j + 1) % m] * x))
    (replicate m (replicate m 1)) xs

-- A loop in a loop, which goes on with the array of the outer one.
-- ==
-- entry: nested
-- input { 5i64 [1i64, 2i64, 3i64] } auto output
-- input { 5i64 empty([0]i64) } auto output
-- input { 1i64 [1i64, 2i64, 3i64] } auto output
-- input { 0i64 [1i64, 2i64, 3i64] } auto output
-- random input { 9i64 [40]i64 } auto output
-- allocates 2
-- structure { allocated 3 }
entry nested [m] (n: i64) (a: [m]i64): [m]i64 =
  loop acc = a for i < n do
    loop row = acc for k < i do tabulate m (\j -> row[j] + row[(j + k) % m] + i)

-- The inner loop reads the array of the outer one, which must stay.
-- ==
-- entry: nested_both
-- input { 5i64 [1i64, 2i64, 3i64] } auto output
-- input { 5i64 empty([0]i64) } auto output
-- random input { 9i64 [40]i64 } auto output
entry nested_both [m] (n: i64) (a: [m]i64): [m]i64 =
  loop acc = a for i < n do
    let b = tabulate m (\j -> acc[(j + 3) % m] - i)
    in loop row = b for k < i do tabulate m (\j -> row[j] + row[(j + k) % m] + acc[j])

-- Turns that keep the array, and that make it in one of two places.
-- ==
-- entry: kept
-- input { 8i64 [1i64, 2i64, 3i64] } auto output
-- input { 1i64 [1i64, 2i64, 3i64] } auto output
-- input { 8i64 empty([0]i64) } auto output
-- random input { 20i64 [40]i64 } auto output
entry kept [m] (n: i64) (a: [m]i64): [m]i64 =
  loop acc = a for i < n do
    if i % 3 == 0 then acc
    else if i % 3 == 1 then tabulate m (\j -> acc[(j + 1) % m] + i)
    else tabulate m (\j -> acc[(j + 2) % m] - i)

-- The initial value is still needed, and so is the result.
-- ==
-- entry: shared
-- input { 3i64 [1i64, 2i64, 3i64] } auto output
-- input { 0i64 [1i64, 2i64, 3i64] } auto output
-- random input { 20i64 [40]i64 } auto output
entry shared [m] (n: i64) (a: [m]i64): ([m]i64, [m]i64, [m]i64) =
  let b = map (* 3) a
  let c = loop acc = b for i < n do tabulate m (\j -> acc[j] + acc[(j + i) % m])
  in (b, c, c)

-- A loop whose arrays become shorter: its result has no more memory than it needs.
-- ==
-- entry: halved
-- input { [1i64, 2i64, 3i64] } auto output
-- random input { [1000]i64 } auto output
entry halved [m] (a: [m]i64): []i64 =
  loop (xs: []i64) = a while length xs > 3 do
    tabulate (length xs / 2) (\j -> xs[2 * j] + xs[2 * j + 1])

-- ==
-- entry: kept_less
-- input { 3i64 [1i64, 2i64, 3i64] } auto output
-- input { 1i64 [1i64, 2i64, 3i64, 4i64] } auto output
-- random input { 4i64 [100]i64 } auto output
entry kept_less [m] (n: i64) (a: [m]i64): []i64 =
  loop (xs: []i64) = a for i < n do filter (\x -> (x + xs[0] + i) % 3 != 0) (xs ++ [i])

-- A loop until a condition on the array holds.
-- ==
-- entry: until
-- input { [1i64, 2i64, 3i64] } auto output
-- input { [1000i64, 2000i64, 3000i64] } auto output
-- random input { [50]i64 } auto output
entry until [m] (a: [m]i64): [m]i64 =
  loop xs = map (\x -> x & 255) a while xs[0] < 1000 do
    tabulate m (\j -> xs[j] + xs[(j + 1) % m] + 1)

-- Steps that exchange arrays.
-- ==
-- entry: waves
-- input { 5i64 [1i64, 2i64, 3i64] } auto output
-- random input { 20i64 [40]i64 } auto output
entry waves [m] (n: i64) (a: [m]i64): ([m]i64, [m]i64) =
  loop (before, now) = (a, a) for i < n do
    (now, tabulate m (\j -> now[(j + 1) % m] * 2 - before[(j + 2) % m] + i))

-- A step that fails leaves nothing behind.
-- ==
-- entry: failing
-- input { 5i64 [1i64, 2i64, 3i64] } error: index
-- input { 2i64 [1i64, 2i64, 3i64] } auto output
entry failing [m] (n: i64) (a: [m]i64): [m]i64 =
  loop acc = a for i < n do tabulate m (\j -> acc[(j + 1) % m] + acc[i])

-- Steps of a pass have loops of their own.
-- ==
-- entry: in_steps
-- input { 3i64 [1i64, 2i64, 3i64] } auto output
-- random input { 30i64 [40]i64 } auto output
-- structure { allocated 4 }
entry in_steps [n] (m: i64) (xs: [n]i64): [n]i64 =
  map
    (\x ->
      i64.sum
        (loop acc = replicate m x for i < 10 do tabulate m (\j -> acc[j] + acc[(j + 1) % m] * i)))
    xs

-- Turns that make an array and may drop it.
-- ==
-- entry: dropped
-- input { 9i64 [1i64, 2i64, 3i64] } auto output
-- random input { 40i64 [40]i64 } auto output
entry dropped [m] (n: i64) (a: [m]i64): [m]i64 =
  loop acc = a for i < n do
    let next = tabulate m (\j -> acc[j] + acc[(j + 1) % m] * i)
    in if next[i % m] % 3 == 0 then acc else next

-- ==
-- entry: dropped_in_steps
-- input { 9i64 [1i64, 2i64, 3i64] } auto output
-- random input { 40i64 [40]i64 } auto output
entry dropped_in_steps [n] (m: i64) (xs: [n]i64): [n]i64 =
  map (\x ->
    i64.sum
      (loop acc = replicate m x for i < 17 do
         let next = tabulate m (\j -> acc[j] + acc[(j + 1) % m] * i)
         in if next[i % m] % 3 == 0 then acc else next)) xs

-- Steps append to one of two arrays, and exchange both. They read the array of the step before after the append.
-- ==
-- entry: appended_elsewhere
-- input { [1i64, 2i64, 3i64] } auto output
-- input { empty([0]i64) } auto output
-- random input { [300]i64 } auto output
entry appended_elsewhere [n] (xs: [n]i64): [n]i64 =
  map (\x ->
    let (a, b) = loop ((a: []i64), (b: []i64)) = (iota 8, iota (3 + (x & 7))) for i < 3 do
      (b ++ [i], tabulate (length a / 2) (\j -> a[2 * j] + x))
    in i64.sum a - i64.sum b) xs

-- The same with a choice, and with an append to what a loop gives.
-- ==
-- entry: appended_chosen
-- input { [1i64, 2i64, 3i64] } auto output
-- random input { [300]i64 } auto output
entry appended_chosen [n] (xs: [n]i64): [n]i64 =
  map (\x ->
    let (a, b) = loop ((a: []i64), (b: []i64)) = (iota 8, iota (3 + (x & 7))) for i < 5 do
      (if length b < 20 then b ++ [i, x] else b[1:], tabulate (length a / 2) (\j -> a[2 * j]))
    in i64.sum a - i64.sum b) xs

-- ==
-- entry: appended_to_loop
-- input { [1i64, 2i64, 3i64] } auto output
-- random input { [300]i64 } auto output
entry appended_to_loop [n] (xs: [n]i64): [n]i64 =
  map (\x ->
    let (a, b) = loop ((a: []i64), (b: []i64)) = (iota 8, iota (3 + (x & 7))) for i < 3 do
      let (c, d) =
        loop ((c: []i64), (d: []i64)) = (b, b) for _ < i & 1 do
          (tabulate (length c) (\j -> c[j] + 1), c)
      in (c ++ d, tabulate (length a / 2) (\j -> a[2 * j]))
    in i64.sum a - i64.sum b) xs

-- The array of the step before has ended, or is changed before the append.
-- ==
-- entry: appended_after
-- input { 3i64 [1i64, 2i64, 3i64] } auto output
-- random input { 6i64 [300]i64 } auto output
entry appended_after [n] (k: i64) (xs: [n]i64): [n]i64 =
  map (\x ->
    let a = loop (a: []i64) = [x, 1] for i < k do
      let b = (if a[0] & 1 == 0 then a with [i] = x else a) in b ++ [i + a[1]]
    let c = loop (c: []i64) = [x, 1] for i < k do
      let d = tabulate (length c) (\j -> c[length c - 1 - j] + i) in d ++ [i]
    in i64.sum a - i64.sum c) xs
