-- Stencils: elements of which the neighbours beyond the edges are others, or none. In the middle nothing
-- is tested, at the edges everything.

-- ==
-- entry: periodic
-- input { empty([0]i64) } output { empty([0]i64) -9223372036854775808i64 }
-- input { [5i64] } output { [555i64] 550i64 }
-- input { [5i64, -2i64] } output { [-152i64, 485i64] 487i64 }
-- input { [5i64, -2i64, 7i64] } output { [-143i64, 685i64, 568i64] 687i64 }
-- input { [3i64, 1i64, 4i64, 1i64, 5i64, 9i64, 2i64, 6i64, 5i64, 3i64, 5i64] } output { [135i64, 413i64, 141i64, 514i64, 951i64, 295i64, 629i64, 562i64, 356i64, 535i64, 353i64] 946i64 }
entry periodic [n] (xs: [n]i64): ([n]i64, i64) =
  let ys = map3 (\l c r -> l + 10 * c + 100 * r) (rotate (-1) xs) xs (rotate 1 xs)
  in (ys, reduce i64.max i64.lowest (map2 (-) ys xs))

-- ==
-- entry: around
-- input { empty([0]i64) } output { empty([0]i64) }
-- input { [5i64, -2i64] } output { [-27i64, 57i64] }
-- input { [5i64, -2i64, 7i64] } output { [-11i64, 68i64, 43i64] }
-- input { [3i64, 1i64, 4i64, 1i64, 5i64, 9i64, 2i64, 6i64, 5i64, 3i64, 5i64] } output { [12i64, 38i64, 8i64, 53i64, 87i64, 24i64, 64i64, 43i64, 34i64, 49i64, 28i64] }
entry around [n] (xs: [n]i64): [n]i64 =
  tabulate n (\i -> xs[(i - 1) % n] - xs[(i + n - 2) % n] + 10 * xs[(i + 1) %% n])

-- ==
-- entry: clamped
-- input { empty([0]i64) } output { empty([0]i64) }
-- input { [5i64] } output { [55i64] }
-- input { [5i64, -2i64] } output { [-15i64, -15i64] }
-- input { [5i64, -2i64, 7i64] } output { [-15i64, 75i64, 75i64] }
-- input { [3i64, 1i64, 4i64, 1i64, 5i64, 9i64, 2i64, 6i64, 5i64, 3i64, 5i64] } output { [13i64, 43i64, 13i64, 51i64, 94i64, 21i64, 65i64, 59i64, 32i64, 56i64, 55i64] }
entry clamped [n] (xs: [n]i64): [n]i64 =
  tabulate n (\i -> xs[i64.max 0 (i - 2)] + 10 * xs[i64.min (n - 1) (i + 1)])

-- ==
-- entry: edges
-- input { empty([0]i64) } output { empty([0]i64) }
-- input { [5i64] } output { [2i64] }
-- input { [5i64, -2i64] } output { [-2i64, 10i64] }
-- input { [5i64, -2i64, 7i64] } output { [-2i64, 35i64, -4i64] }
-- input { [3i64, 1i64, 4i64, 1i64, 5i64, 9i64, 2i64, 6i64, 5i64, 3i64, 5i64] } output { [1i64, 12i64, 1i64, 20i64, 9i64, 10i64, 54i64, 10i64, 18i64, 25i64, 6i64] }
entry edges [n] (xs: [n]i64): [n]i64 =
  tabulate n (\i -> (if i == 0 then 1 else xs[i - 1]) * (if i != n - 1 then xs[i + 1] else 2))

-- ==
-- entry: mirrored
-- input { empty([0]i64) } output { empty([0]i64) }
-- input { [5i64] } output { [0i64] }
-- input { [5i64, -2i64] } output { [-7i64, 7i64] }
-- input { [5i64, -2i64, 7i64] } output { [2i64, 0i64, -2i64] }
-- input { [3i64, 1i64, 4i64, 1i64, 5i64, 9i64, 2i64, 6i64, 5i64, 3i64, 5i64] } output { [2i64, 2i64, 1i64, 5i64, -3i64, 0i64, 3i64, -5i64, -1i64, -2i64, -2i64] }
entry mirrored [n] (xs: [n]i64): [n]i64 = tabulate n (\i -> xs[n - 1 - i] - xs[i])

-- ==
-- entry: peaks
-- input { empty([0]i64) } output { empty([0]i64) }
-- input { [5i64] } output { empty([0]i64) }
-- input { [5i64, -2i64] } output { empty([0]i64) }
-- input { [5i64, -2i64, 7i64] } output { empty([0]i64) }
-- input { [3i64, 1i64, 4i64, 1i64, 5i64, 9i64, 2i64, 6i64, 5i64, 3i64, 5i64] } output { [4i64, 9i64, 6i64] }
entry peaks [n] (xs: [n]i64): ?[m].[m]i64 =
  filter (\i -> 0 < i && i < n - 1 && xs[i - 1] < xs[i] && xs[i] > xs[i + 1]) (iota n)
  |> map (\i -> xs[i])

-- ==
-- entry: in_order
-- input { empty([0]i64) } output { 0i64 }
-- input { [5i64] } output { 7i64 }
-- input { [5i64, -2i64] } output { 26i64 }
-- input { [5i64, -2i64, 7i64] } output { 76i64 }
-- input { [3i64, 1i64, 4i64, 1i64, 5i64, 9i64, 2i64, 6i64, 5i64, 3i64, 5i64] } output { 490500i64 }
entry in_order [n] (xs: [n]i64): i64 =
  fold (\s i -> s * 3 + (if i > 0 then xs[i - 1] else 7)) 0 (iota n)

-- The step that fails is the first one of those that do, wherever it is.
-- ==
-- entry: beyond
-- input { [5i64] } error: index 1
-- input { [5i64, -2i64] } error: index 2
-- input { [5i64, -2i64, 7i64] } error: index 3
-- input { [3i64, 1i64, 4i64, 1i64, 5i64, 9i64, 2i64, 6i64, 5i64, 3i64, 5i64] } error: index 11
-- input { empty([0]i64) } output { empty([0]i64) }
entry beyond [n] (xs: [n]i64): [n]i64 = tabulate n (\i -> xs[i + 1] - xs[i])

-- Numbers so large that their sums wrap.
-- ==
-- entry: far
-- input { [5i64, -2i64, 7i64] 9223372036854775807i64 } output { [-9223372036854775807i64, -9223372036854775806i64, -9223372036854775805i64] }
-- input { [5i64, -2i64, 7i64] -9223372036854775808i64 } output { [-9223372036854775808i64, -9223372036854775807i64, -9223372036854775806i64] }
-- input { [5i64, -2i64, 7i64] -9223372036854775807i64 } output { [9223372036854775807i64, -9223372036854775808i64, -9223372036854775807i64] }
-- input { [5i64, -2i64, 7i64] 4611686018427387904i64 } output { [-4611686018427387904i64, -4611686018427387903i64, -4611686018427387902i64] }
-- input { [5i64, -2i64, 7i64] 1i64 } output { [-2i64, 7i64, 1i64] }
-- input { [5i64, -2i64, 7i64] -1i64 } output { [1i64, 5i64, -2i64] }
entry far [n] (xs: [n]i64) (k: i64): [n]i64 =
  tabulate n (\i -> if 0 <= i + k && i + k < n then xs[i + k] else i - k)

-- ==
-- entry: inner
-- input { [[0i64]] } output { [[0i64]] }
-- input { [[0i64, 3i64], [7i64, 0i64]] } output { [[0i64, 3i64], [7i64, 0i64]] }
-- input { [[0i64, 3i64, 6i64], [7i64, 0i64, 3i64], [4i64, 7i64, 0i64]] } output { [[0i64, 3i64, 6i64], [7i64, 20i64, 3i64], [4i64, 7i64, 0i64]] }
-- input { [[0i64, 3i64, 6i64, 9i64, 2i64], [7i64, 0i64, 3i64, 6i64, 9i64], [4i64, 7i64, 0i64, 3i64, 6i64], [1i64, 4i64, 7i64, 0i64, 3i64], [8i64, 1i64, 4i64, 7i64, 0i64]] } output { [[0i64, 3i64, 6i64, 9i64, 2i64], [7i64, 20i64, 12i64, 24i64, 9i64], [4i64, 8i64, 20i64, 12i64, 6i64], [1i64, 16i64, 8i64, 20i64, 3i64], [8i64, 1i64, 4i64, 7i64, 0i64]] }
entry inner [n] (a: [n][n]i64): [n][n]i64 =
  let inside i = 0 < i && i < n - 1
  in tabulate_2d n n (\i j ->
       if inside i && inside j then a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1]
       else a[i, j])

-- One pass over memory makes the rows and reduces what changed.
-- ==
-- structure relaxed none { clusters 2 } ilp { clusters 1 }
-- entry: relaxed
-- input { [[5i64]] } output { [[5i64]] 0i64 }
-- input { [[1i64, 2i64, 3i64], [4i64, 9i64, 6i64], [7i64, 8i64, 1i64]] } output { [[1i64, 2i64, 3i64], [4i64, 20i64, 6i64], [7i64, 8i64, 1i64]] 11i64 }
entry relaxed [n] (a: [n][n]i64): ([n][n]i64, i64) =
  let inside i = 0 < i && i < n - 1
  let b = tabulate_2d n n (\i j ->
    if inside i && inside j then a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1] else a[i, j])
  in (b, reduce i64.max 0 (map2 (\x y -> i64.abs (y - x)) (flatten a) (flatten b)))

-- ==
-- entry: by_rows
-- input { 0i64 3i64 } output { 0i64 -1i64 true }
-- input { 3i64 0i64 } output { 0i64 -1i64 true }
-- input { 2i64 3i64 } output { 15i64 5i64 false }
entry by_rows (n: i64) (m: i64): (i64, i64, bool) =
  let a = tabulate_2d n m (\i j -> 2 * i + j)
  let flat = flatten a
  in (reduce (+) 0 (map (* 1) (map2 (\x y -> x * y) flat (flatten (map (map (/ 2)) a)))) + 0,
      reduce i64.max (-1) (map (+ 1) flat),
      reduce (&&) true (map (< 3) flat))
