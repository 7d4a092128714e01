-- Positions that the numbers of steps of the loops around keep in bounds, and others that they do not.

-- | The weighted sums of the boxes of an image.
-- ==
-- entry: boxes
-- input { [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0]] [[1.0, 0.5], [0.0, 2.0]] }
-- output { [[14.0, 17.5]] }
-- input { [[1.0, 2.0], [3.0, 4.0]] [[1.0, 1.0], [1.0, 1.0]] }
-- output { empty([0][0]f64) }
-- input { [[1.0, 2.0], [3.0, 4.0]] empty([0][1]f64) }
-- output { [[0.0], [0.0]] }
-- input { empty([0][3]f64) [[1.0]] }
-- error: the sizes of the arguments make n -1
entry boxes [n] [m] [k] [l] (image: [n + k][m + l]f64) (weights: [k][l]f64): [n][m]f64 =
  tabulate_2d n m
    (\i j -> f64.sum (flatten (tabulate_2d k l (\p q -> weights[p, q] * image[i + p, j + q]))))

-- | The boxes some elements further to the right: one is in bounds, and two are not.
-- ==
-- entry: boxes_behind
-- input { 1i64 [[1.0, 2.0, 3.0], [5.0, 6.0, 7.0], [9.0, 10.0, 11.0]] [[1.0], [2.0]] }
-- output { [[14.0, 17.0]] [[14.0, 17.0]] }
-- input { 2i64 [[1.0, 2.0, 3.0], [5.0, 6.0, 7.0], [9.0, 10.0, 11.0]] [[1.0], [2.0]] }
-- error: index 3 is out of bounds
entry boxes_behind [n] [m] [k] [l] (far: i64) (image: [n + k][m + l]f64)
    (weights: [k][l]f64): ([n][m]f64, [n][m]f64) =
  let boxes (far: i64) =
    tabulate_2d n m (\i j ->
      f64.sum (flatten (tabulate_2d k l (\p q -> weights[p, q] * image[i + p, j + q + far]))))
  in (boxes 1, boxes far)

-- | Two further: the check stays.
-- ==
-- entry: boxes_outside
-- input { [[1.0, 2.0, 3.0], [5.0, 6.0, 7.0]] [[2.0]] }
-- error: index 3 is out of bounds
entry boxes_outside [n] [m] [k] [l] (image: [n + k][m + l]f64) (weights: [k][l]f64): [n][m]f64 =
  tabulate_2d n m (\i j ->
    f64.sum (flatten (tabulate_2d k l (\p q -> weights[p, q] * image[i + p, j + q + 2]))))

-- | Every sum of k numbers in a row: one more than n - k.
-- ==
-- entry: windows
-- input { 2i64 [1, 2, 3, 4] }
-- output { [3, 5, 7] }
-- input { 4i64 [1, 2, 3, 4] }
-- output { [10] }
-- input { 0i64 [1, 2] }
-- output { [0, 0, 0] }
-- input { 5i64 [1, 2, 3] }
-- error: negative size -1
entry windows [n] (k: i64) (xs: [n]i64): []i64 =
  tabulate (n - k + 1) (\i -> i64.sum (tabulate k (\p -> xs[i + p])))

-- | Backwards, by pairs, and below a diagonal.
-- ==
-- entry: orders
-- input { [1, 2, 3, 4, 5, 6] }
-- output { [6, 5, 4, 3, 2, 1] [3, 7, 11] [0, 1, 3, 6, 10, 15] }
-- input { empty([0]i64) }
-- output { empty([0]i64) empty([0]i64) empty([0]i64) }
-- input { [1] }
-- error: xs has size 1 but its type
entry orders [n] (xs: [2 * n]i64): ([2 * n]i64, [n]i64, [2 * n]i64) =
  let m = 2 * n
  let backwards = tabulate m (\i -> xs[m - 1 - i])
  let pairs = tabulate n (\i -> xs[2 * i] + xs[2 * i + 1])
  let below = tabulate m (\i -> loop s = 0 for j < i do s + xs[i - 1 - j])
  in (backwards, pairs, below)

-- | A shift that may be negative, or larger than the array.
-- ==
-- entry: shifted
-- input { 1i64 [1, 2, 3, 4] }
-- output { [2, 3, 4] }
-- input { -1i64 [1, 2, 3, 4] }
-- error: index -1
-- input { 9223372036854775807i64 [1, 2, 3, 4] }
-- error: negative size
-- input { -9223372036854775808i64 [1] }
-- error: .
entry shifted [n] (k: i64) (xs: [n]i64): []i64 = tabulate (n - k) (\i -> xs[i + k])

-- | The weighted sums around the numbers that have all neighbours: a range, a quotient and a maximum keep them in bounds.
-- ==
-- entry: near
-- input { [1, 10, 100] [1, 2, 3, 4, 5] }
-- output { [0, 321, 432, 543, 0] [0, 0, 0, 0, 0] }
-- input { [1, 10] [1, 2, 3, 4] }
-- output { [0, 21, 32, 0] [0, 0, 0, 0] }
-- input { empty([0]i64) [1, 2, 3] }
-- output { [0, 0, 0] [0, 0, 0] }
-- input { [1] [7] }
-- output { [0] [0] }
-- input { [1, 1, 1, 1, 1, 1] [1, 2, 3] }
-- output { [0, 0, 0] [0, 0, 0] }
entry near [n] [k] (weights: [k]i64) (xs: [n]i64): ([n]i64, [n]i64) =
  let half = k / 2
  let radius = i64.max half 1
  let around (far: i64) (i: i64) = i64.sum (tabulate k (\p -> weights[p] * xs[i + p - half + far]))
  let inner = tabulate n (\i -> if radius <= i && i < n - radius then around 0 i else 0)
  let far = tabulate n (\i -> if radius + 9 <= i && i < n - radius then around 0 i else 0)
  in (inner, far)

-- | One further to the right: the check of the last one stays.
-- ==
-- entry: near_behind
-- input { [1, 10, 100] [1, 2, 3, 4, 5] }
-- error: index 5 is out of bounds
-- input { [1, 10] [1, 2, 3, 4] }
-- output { [0, 32, 43, 0] }
entry near_behind [n] [k] (weights: [k]i64) (xs: [n]i64): [n]i64 =
  let half = k / 2
  let radius = i64.max half 1
  in tabulate n (\i ->
       if radius <= i && i < n - radius
       then i64.sum (tabulate k (\p -> weights[p] * xs[i + p - half + 1]))
       else 0)

-- | Elements by threes.
-- ==
-- entry: threes
-- input { [1, 2, 3, 4, 5, 6] }
-- output { [123, 456] }
-- input { empty([0]i64) }
-- output { empty([0]i64) }
-- input { [1, 2, 3, 4] }
-- error: xs has size 4 but its type
entry threes [n] (xs: [3 * n]i64): [n]i64 =
  tabulate n (\i -> 100 * xs[3 * i] + 10 * xs[3 * i + 1] + xs[3 * i + 2])

-- | A quotient by a large number says nothing of a multiple that would wrap: the check stays.
-- ==
-- entry: far_quotient
-- input { 0 [1, 2, 3] } output { [1, 2, 3] 0 }
-- input { 1 [1, 2, 3] } error: index -4 is out of bounds
entry far_quotient [n] (k: i64) (xs: [n]i64): ([n]i64, i64) =
  let x = i64.max 0 k
  let q = x / 4611686018427387904
  in (tabulate n (\i -> xs[i - 4 * x]), q)

-- | Elements beside each one, which branches keep in bounds: around the ends, mirrored, the nearest, or none.
-- ==
-- entry: beside
-- input { [1, 2, 3, 4] }
-- output { [4002, 1003, 2004, 3001] [1002, 1003, 2004, 3004] [2002, 1003, 2004, 3003] [2, 1003, 2004, 3000] }
-- input { [1, 2] }
-- output { [2002, 1001] [1002, 1002] [2002, 1001] [2, 1000] }
-- input { [1] }
-- output { [1001] [1001] [1001] [0] }
-- input { empty([0]i64) }
-- output { empty([0]i64) empty([0]i64) empty([0]i64) empty([0]i64) }
entry beside [n] (xs: [n]i64): ([n]i64, [n]i64, [n]i64, [n]i64) =
  let by (at: i64 -> i64 -> i64) = tabulate n (\i -> 1000 * at i (-1) + at i 1)
  let around = by (\i d -> let k = i + d in xs[if k < 0 then k + n else if k < n then k else k - n])
  let nearest = by (\i d -> xs[i64.max 0 (i64.min (n - 1) (i + d))])
  let mirrored = by (\i d ->
    let k = i + d
    in if n == 1 then xs[k % i64.max 1 n]
       else xs[if k < 0 then -k else if k < n then k else 2 * n - 2 - k])
  let inside = by (\i d -> let k = i + d in if k >= 0 && k < n then xs[k] else 0)
  in (around, nearest, mirrored, inside)

-- | The same in the rows and columns of a matrix: where a row is outside, its place is 0.
-- ==
-- entry: crosses
-- input { [[1, 2, 3], [4, 5, 6]] }
-- output { [[13, 14, 15], [13, 14, 15]] [[6, 9, 8], [6, 12, 8]] }
-- input { [[5]] }
-- output { [[20]] [[0]] }
-- input { empty([0][3]i64) }
-- output { empty([0][3]i64) empty([0][3]i64) }
-- input { empty([2][0]i64) }
-- output { empty([2][0]i64) empty([2][0]i64) }
entry crosses [n] [m] (a: [n][m]i64): ([n][m]i64, [n][m]i64) =
  let wrap (n: i64) (k: i64) = if k < 0 then k + n else if k < n then k else k - n
  let around = tabulate_2d n m (\i j ->
    a[wrap n (i - 1), j] + a[wrap n (i + 1), j] + a[i, wrap m (j - 1)] + a[i, wrap m (j + 1)])
  let at (i: i64) (j: i64) = if i >= 0 && i < n && j >= 0 && j < m then a[i, j] else 0
  let beside = tabulate_2d n m (\i j -> at (i - 1) j + at (i + 1) j + at i (j - 1) + at i (j + 1))
  in (around, beside)

-- | A branch that leaves the array: the check stays.
-- ==
-- entry: beside_behind
-- input { 1i64 [1, 2, 3] } output { [2, 3, 1] }
-- input { 3i64 [1, 2, 3] } output { [1, 2, 3] }
-- input { 4i64 [1, 2, 3] } error: index 3 is out of bounds
-- input { -1i64 [1, 2, 3] } error: index -1 is out of bounds
-- input { 9223372036854775807i64 [1, 2, 3] } error: index
entry beside_behind [n] (far: i64) (xs: [n]i64): [n]i64 =
  tabulate n (\i -> let k = i + far in xs[if k < n then k else k - n])

-- | Conditions that say too little, since a sum of theirs wraps, or since they are about another number.
-- ==
-- entry: wrapping
-- input { 0i64 [1, 2, 3] } output { [1, 2, 3] [2, 3, 0] }
-- input { 1i64 [1, 2, 3] } output { [2, 3, 0] [2, 3, 0] }
-- input { 9223372036854775807i64 [1, 2, 3] } error: index -9223372036854775808 is out of bounds
-- input { -2i64 [1, 2, 3] } error: index -2 is out of bounds
entry wrapping [n] (far: i64) (xs: [n]i64): ([n]i64, [n]i64) =
  let reached = tabulate n (\i -> let k = i + far in if k < n then xs[k] else 0)
  let next = tabulate n (\i -> if i + 1 < n then xs[i + 1] else 0)
  in (reached, next)

-- | The branch for the first element reads behind the last one.
-- ==
-- entry: first_behind
-- input { [1, 2, 3] } error: index 3 is out of bounds
-- input { empty([0]i64) } output { empty([0]i64) }
entry first_behind [n] (xs: [n]i64): [n]i64 =
  tabulate n (\i -> let k = i - 1 in xs[if k < 0 then k + n + 1 else k])
