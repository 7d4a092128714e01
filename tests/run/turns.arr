-- Arrays that the steps of a loop make for each other, in a step of a pass: two buffers hold them by turns.

-- ==
-- entry: smooth
-- input { 0i64 [[1i64, 0i64, 0i64], [0i64, 2i64, 0i64]] } output { [[1i64, 0i64, 0i64], [0i64, 2i64, 0i64]] }
-- input { 1i64 [[1i64, 0i64, 0i64], [0i64, 2i64, 0i64]] } output { [[1i64, 0i64, 1i64], [2i64, 2i64, 0i64]] }
-- input { 2i64 [[1i64, 0i64, 0i64], [0i64, 2i64, 0i64]] } output { [[1i64, 1i64, 2i64], [4i64, 2i64, 2i64]] }
-- allocates 3
-- input { 5i64 [[1i64], [2i64], [3i64], [4i64]] } output { [[32i64], [64i64], [96i64], [128i64]] }
-- allocates 3
-- input { 5i64 empty([0][3]i64) } output { empty([0][3]i64) }
entry smooth [n] [m] (k: i64) (xss: [n][m]i64): [n][m]i64 =
  map (\xs -> loop v = xs for _ < k do map (\i -> v[i] + v[(i + 1) % m]) (iota m)) xss

-- Their lengths differ from step to step.
-- ==
-- entry: lengths
-- input { [3i64, 1i64, 0i64, 300i64, 2i64] } output { [12i64, 3i64, 0i64, 45750i64, 7i64] }
entry lengths [n] (xs: [n]i64): [n]i64 =
  map (\x -> i64.sum (loop v = iota x for _ < 3 do map (\i -> v[x - 1 - i] + 1) (iota x))) xs

-- An array that is handed on in another place lives for two steps.
-- ==
-- entry: handed_on
-- input { [2i64, 1i64] } output { [11i64, 3i64] }
entry handed_on [n] (xs: [n]i64): [n]i64 =
  map (\x ->
    let (v, w) =
      loop (v, w) = (iota x, replicate x 1) for _ < 3 do
        (map (\i -> v[x - 1 - i] + w[i]) (iota x), v)
    in i64.sum v + i64.sum w) xs

-- Two arrays, each made of both.
-- ==
-- entry: both
-- input { [3i64, 2i64] 2i64 } output { [39i64, 21i64] }
entry both [n] (xs: [n]i64) (k: i64): [n]i64 =
  map (\x ->
    let (v, w) =
      loop (v, w) = (iota x, replicate x 1) for _ < k do
        (map (\i -> v[x - 1 - i] + w[i]) (iota x), map (\i -> w[x - 1 - i] * 2 + v[i]) (iota x))
    in i64.sum v + i64.sum w) xs

-- A loop in a loop: the outer array is still needed when the inner loop has ended.
-- ==
-- entry: inner
-- input { [2i64, 1i64] } output { [22i64, 9i64] }
entry inner [n] (xs: [n]i64): [n]i64 =
  map (\x ->
    i64.sum
      (loop v = iota x for _ < 2 do
         let w = loop w = v for _ < 3 do map (\i -> w[x - 1 - i] + 1) (iota x)
         in map (\i -> v[i] + w[x - 1 - i]) (iota x))) xs

-- A loop whose end depends on the array.
-- ==
-- entry: until
-- input { [[1i64, 1i64], [5i64, 100i64], [200i64, 0i64]] } output { [[128i64, 128i64], [105i64, 105i64], [200i64, 0i64]] }
entry until [n] (xss: [n][2]i64): [n][2]i64 =
  map (\xs -> loop v = copy xs while v[0] < 101 do map (\i -> v[i] + v[1 - i]) (iota 2)) xss

-- ==
-- entry: until_long
-- input { [[1i64, 1i64, 1i64], [5i64, 100i64, 1i64]] } output { [[128i64, 128i64, 128i64], [105i64, 101i64, 6i64]] }
-- allocates 3
entry until_long [n] [m] (xss: [n][m]i64): [n][m]i64 =
  map (\xs -> loop v = xs while v[0] < 101 do map (\i -> v[i] + v[(i + 1) % m]) (iota m)) xss

-- What the loop gives is the next accumulator, which is no step's own.
-- ==
-- entry: rotated
-- input { [1i64, 2i64, 3i64] [1i64, 1i64] } output { [2i64, 3i64, 1i64] }
entry rotated [m] [n] (z: [m]i64) (xs: [n]i64): [m]i64 =
  fold (\acc x -> loop v = acc for _ < 2 do map (\i -> v[(i + x) % m]) (iota m)) z xs

-- A loop over a range, and rows that are longer than the array before.
-- ==
-- entry: eliminated
-- input { [[2i64, 1i64, 1i64], [4i64, 5i64, 6i64], [1i64, 2i64, 3i64]] } output { [4i64, -1i64, -28i64] }
entry eliminated [n] (a: [n][n]i64): [n]i64 =
  map (\i ->
    i64.sum
      (loop row = a[i] for k in 0..<i do
         map (\j -> row[(j + 1) % n] - a[i, k] * a[k, j]) (iota n))) (iota n)

-- Two arrays that begin as equal ones are updated, each in its place.
-- ==
-- entry: updated
-- input { [[1i64, 2i64], [3i64, 4i64]] } output { [[12i64, 31i64], [34i64, 73i64]] }
-- allocates 3
entry updated [n] [m] (xss: [n][m]i64): [n][m]i64 =
  map (\xs ->
    let (sums, back) =
      loop (sums, back) = (replicate m 0, replicate m 0) for i < m do
        (sums with [i] = xs[i] + (if i > 0 then sums[i - 1] else 0), back with [m - 1 - i] = xs[i])
    in loop zs = sums for j < m do zs with [j] = zs[j] * 10 + back[j]) xss

-- A branch makes the array that the step gives.
-- ==
-- entry: chosen
-- input { [1i64, 0i64, 2i64] [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] } output { [[2i64, 1i64], [3i64, 4i64], [12i64, 10i64]] }
-- allocates 2
entry chosen [n] [m] (ks: [n]i64) (xss: [n][m]i64): [n][m]i64 =
  map2 (\k xs -> if k == 0 then xs else map (\i -> xs[m - 1 - i] * k) (iota m)) ks xss

-- A branch ends the array, or hands it on.
-- ==
-- entry: middle
-- input { 1i64 [1i64, 2i64, 3i64, 5i64] } output { [3i64, 5i64, 3i64, 5i64] }
-- allocates 2
-- structure { allocated 2 }
entry middle [n] (at: i64) (xs: [n]i64): [n]i64 =
  map (\x -> let ys = filter (> x) xs in if length ys > at then ys[at] else x) xs

-- ==
-- entry: summed_again
-- input { [[1i64, 2i64, 3i64], [-1i64, -2i64, -3i64]] } output { [14i64, -3i64] }
-- structure { allocated 2 }
entry summed_again [n] [m] (xss: [n][m]i64): [n]i64 =
  map (\xs ->
    let ys = scan (+) 0 xs
    let zs = if ys[m / 2] > 1 then scan (+) 0 ys else ys
    in zs[0] * zs[1] + zs[m - 1]) xss

-- A step of a loop makes the next array, in one of two branches, or hands the array on.
-- ==
-- entry: turned
-- input { 7i64 [[1i64, 2i64, 3i64, 4i64], [-1i64, -2i64, 3i64, 4i64], [9i64, -1i64, 2i64, 3i64], [0i64, -3i64, 2i64, 3i64]] } auto output
-- structure { allocated 6 }
-- random input { 5i64 [9][4]i64 } auto output
-- random input { 6i64 [3][33]i64 } auto output
entry turned [n] [m] (k: i64) (xss: [n][m]i64): [n][m]i64 =
  map (\xs ->
    loop a = xs for i < k do
      (if a[0] > i then reverse (scan (+) 0 a)
       else if a[m / 2] % 2 == 0 then a
       else map (+ 1) (reverse a))) xss

-- Updated in one branch only.
-- ==
-- entry: corrected
-- input { [[1i64, -2i64, 3i64], [-4i64, 5i64, -6i64]] } output { [1i64, -6i64] }
-- structure { allocated 2 }
entry corrected [n] [m] (xss: [n][m]i64): [n]i64 =
  map
    (\xs ->
      let ys = loop a = xs for i < m do (if a[i] < 0 then a with [i / 2] = 0 else a)
      in ys[0] + ys[m / 2] + ys[m - 1]) xss

-- The array of the step before is still needed in a branch of the step after.
-- ==
-- entry: kept_in_a_branch
-- random input { 5i64 [7][9]i64 } auto output
entry kept_in_a_branch [n] [m] (k: i64) (xss: [n][m]i64): [n]i64 =
  map (\xs ->
    let (v, w) =
      loop (v, w) = (xs, xs) for i < k do
        (if v[i % m] > w[0] then (scan (+) 0 v, v) else (w, map (* 3) (reverse v)))
    in i64.sum v - i64.sum w) xss

-- How many arrays a call allocates at most, as a formula.
-- ==
-- entry: smooth
-- structure { allocated 3 }
-- entry: appended
-- input { [5i64, 0i64] 2i64 } output { [22i64, 2i64] }
-- allocates 3
-- structure { allocated 3 }
entry appended [n] (xs: [n]i64) (k: i64): [n]i64 =
  map (\x -> let a = map (* k) (iota x) ++ [1] in a[x] + i64.sum a) xs

-- Without a step, what the caller gets is a copy. The steps change it in its place.
-- ==
-- entry: twice
-- input { 0i64 [1i64, 2i64] } output { [1i64, 2i64] }
-- allocates 1
-- input { 3i64 [1i64, 2i64] } output { [4i64, 5i64] }
-- structure { allocated 1 }
entry twice [n] (k: i64) (xs: [n]i64): [n]i64 =
  loop v = xs for _ < k do map (\i -> v[i] + 1) (iota n)
