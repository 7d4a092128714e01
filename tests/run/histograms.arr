-- Histograms: each thread may collect what it finds in bins of its own.

-- Several in one pass, of different operations and types.
-- ==
-- entry: several
-- input { 0i64 2i64 } output { [0i64, 0i64] [-2147483648i32, -2147483648i32] [0u64, 0u64] [false, false] [true, true] 0i64 }
-- input { 1i64 1i64 } output { [0i64] [0i32] [0u64] [false] [true] 0i64 }
-- input { 3000i64 5i64 } output { [311157i64, 302132i64, 292289i64, 301808i64, 311292i64] [880i32, 867i32, 934i32, 952i32, 918i32] [5689440670792u64, 5360141372528u64, 2587091944760u64, 1226195534192u64, 7205507634032u64] [true, true, true, true, true] [false, false, true, false, false] 1518678i64 }
-- input { 3i64 0i64 } error: division by zero
entry several (n: i64) (k: i64): ([k]i64, [k]i32, [k]u64, [k]bool, [k]bool, i64) =
  let keys = map (\i -> (i * 7919 + 13) % k) (iota n)
  let vals = map (\i -> i * i % 1009) (iota n)
  in (hist (+) 0 k keys vals,
      hist i32.max i32.lowest k keys (map2 (\v i -> i32.i64 (v - i)) vals (iota n)),
      hist (^) 0 k keys (map (\i -> u64.i64 i * 2654435761) (iota n)),
      hist (||) false k keys (map (== 1000) vals),
      hist (&&) true k keys (map (!= 3) vals),
      sum vals)

-- Behind a filter.
-- ==
-- entry: filtered
-- input { 2000i64 4i64 } output { [358i64, 356i64, 357i64, 358i64] [-1996i64, -1989i64, -1998i64, -1999i64] 1429i64 }
-- input { 5i64 1i64 } output { [4i64] [-4i64] 4i64 }
-- input { 0i64 1i64 } output { [0i64] [9223372036854775807i64] 0i64 }
entry filtered (n: i64) (k: i64): ([k]i64, [k]i64, i64) =
  let kept = filter (\i -> i * i % 7 < 3) (iota n)
  let keys = map (% k) kept
  in (hist (+) 0 k keys (map (\_ -> 1) kept),
      hist i64.min i64.highest k keys (map (0 -) kept),
      length kept)

-- The first step that fails is told, wherever it runs.
-- ==
-- entry: failing
-- input { 3000i64 4i64 3000i64 5000i64 } output { [750i64, 750i64, 750i64, 750i64] }
-- input { 3000i64 4i64 17i64 2999i64 } error: index 70017 is out of bounds for an array of length 4
-- input { 3000i64 4i64 2998i64 2999i64 } error: index 72998 is out of bounds for an array of length 4
-- input { 3000i64 4i64 1600i64 130i64 } error: index 70130 is out of bounds for an array of length 4
-- input { 1i64 0i64 0i64 0i64 } error: index 70000 is out of bounds for an array of length 0
entry failing (n: i64) (k: i64) (first: i64) (second: i64): [k]i64 =
  let keys = map (\i -> if i == first || i == second then 70000 + i else i % 4) (iota n)
  in loop sizes = replicate k 0 for g in keys do sizes with [g] = sizes[g] + 1

-- A failure beside the bins, and one that comes after others were filled.
-- ==
-- entry: divided
-- input { 2000i64 2000i64 } output { [1i64, 1i64, 2i64, 3i64, 5i64, 6i64, 9i64, 18i64, 51i64, 1904i64] }
-- input { 2000i64 1999i64 } error: division by zero
-- input { 2000i64 0i64 } error: division by zero
entry divided (n: i64) (zero: i64): [10]i64 =
  hist (+) 0 10 (map (\i -> i64.min 9 (9 - 100 / (if i == zero then 0 else i + 1) % 10)) (iota n))
    (replicate n 1)

-- No bins: every position is outside.
-- ==
-- entry: none
-- input { 0i64 0i64 } output { empty([0]i64) }
-- input { 1000i64 0i64 } output { empty([0]i64) }
-- input { 1000i64 -1i64 } error: negative size
entry none (n: i64) (k: i64): [k]i64 = hist (+) 0 k (map (% 7) (iota n)) (iota n)

-- More bins than steps, and as many.
-- ==
-- entry: many
-- input { 100i64 5000i64 } output { 12133000i64 99i64 }
-- input { 4000i64 3999i64 } output { 15919728406i64 3999i64 }
-- input { 4000i64 400i64 } output { 1594996000i64 400i64 }
-- input { 0i64 7i64 } output { 0i64 0i64 }
entry many (n: i64) (k: i64): (i64, i64) =
  let bins = hist (+) 0 k (map (\i -> (i * 7919 + 13) % k) (iota n)) (iota n)
  in (sum (map2 (*) (iota k) bins), count (!= 0) bins)

-- Bins that begin with other values than the neutral one, and one that nothing joins.
-- ==
-- entry: begun
-- input { 0i64 } output { [3i64, 3i64, 3i64, 3i64] [255i64, 255i64, 255i64, 255i64] [1i64, 1i64, 1i64, 1i64] [50i64, 2000i64, -7i64, 1i64] }
-- input { 1000i64 } output { [323994727122369557i64, -743069568813913015i64, -73613362708593753i64, 3i64] [240i64, 240i64, 240i64, 255i64] [16369i64, 16369i64, 16369i64, 1i64] [-899i64, -897i64, -898i64, 1i64] }
entry begun (n: i64): ([4]i64, [4]i64, [4]i64, [4]i64) =
  let keys = map (% 3) (iota n)
  in (reduce_by_index (replicate 4 3) (*) 1 keys (map (\i -> 2 * i + 1) (iota n)),
      reduce_by_index (replicate 4 255) (&) (-1) keys (map (| 240) (iota n)),
      reduce_by_index (replicate 4 1) (|) 0 keys (map (<< 4) (iota n)),
      reduce_by_index [50, 2000, -7, 1] i64.min i64.highest keys (map (100 -) (iota n)))

-- Bins that the caller has given, which keep their values.
-- ==
-- entry: given
-- input { [5i64, 6i64] 1000i64 } output { [5i64, 506i64] [5i64, 6i64] }
entry given [k] (bins: [k]i64) (n: i64): ([k]i64, [k]i64) =
  (reduce_by_index (copy bins) (+) 0 (map (% 2) (iota n)) (map (\i -> i - 499) (iota n)), bins)

-- Of two dimensions.
-- ==
-- entry: grid
-- input { 1000i64 } output { [[33165i32, 33500i32, 32835i32], [33232i32, 33567i32, 32901i32], [33299i32, 33634i32, 32967i32], [33366i32, 33701i32, 33033i32]] }
entry grid (n: i64): [4][3]i32 =
  reduce_by_index_2d (replicate 4 (replicate 3 0i32)) (+) 0
    (map (\i -> (i % 5, i / 5 % 3)) (iota n)) (map i32.i64 (iota n))

-- Pairs, each with an operation.
-- ==
-- entry: pairs
-- input { 1000i64 } output { [249250i64, 250250i64] [-8i32, -6i32] }
entry pairs (n: i64): ([2]i64, [2]i32) =
  let both (a, b) (c, d) = (a + c, i32.min b d)
  in unzip
       (hist both (0, 9) 2 (map (\i -> i / 2 % 2) (iota n))
          (map (\i -> (i, i32.i64 (i % 16 - 8))) (iota n)))

-- A step that changes bins several times, in several ways, and counts besides.
-- ==
-- entry: paths
-- input { 0i64 } output { [0i64, 0i64, 0i64, 0i64] 0i64 }
-- input { 2000i64 } output { [25555i64, 0i64, 23552i64, 950i64] 70046i64 }
entry paths (n: i64): ([4]i64, i64) =
  loop (bins, c) = (replicate 4 0, 0) for i < n do
    let v = i * 31 % 97
    let bins = if v % 2 == 0 then bins with [v % 4] = bins[v % 4] + v else bins
    let (bins, c) =
      if v > 50 then (bins with [3] = bins[3] + 1, c + v)
      else if v < 10 then (bins, c + 1)
      else (bins, c)
    in (if i % 3 == 0 then bins with [0] = bins[0] + 1 else bins, c)

-- Beside a scan and a filter of it.
-- ==
-- entry: beside
-- input { 1000i64 } output { [910000i64, 725179i64, 364819i64] 182i64 365183i64 }
entry beside (n: i64): ([3]i64, i64, i64) =
  let vals = map (\i -> i * i % 11) (iota n)
  let sums = scan (+) 0 vals
  let kept = map (.1) (filter (\(v, _) -> v > 8) (zip vals sums))
  in (hist (+) 0 3 (map (% 3) vals) sums, length kept, sum kept)

-- In the steps of a loop, where each round needs the one before it.
-- ==
-- entry: rounds
-- input { 700i64 5i64 } output { 2350i64 }
entry rounds (n: i64) (times: i64): i64 =
  loop x = 0 for _t < times do
    let bins = hist (+) 0 8 (map (\i -> (i * i + x) % 8) (iota n)) (replicate n 1)
    in x + sum (map2 (*) (map (+ 1) (iota 8)) bins) % 1000

-- The least and greatest floats do not depend on the order. Bins of NaN give way to numbers, and -0 is below 0.
-- ==
-- entry: extremes
-- input { 1000i64 } output { [-0.0f64, f64.nan, 1.0f64] [0.0f64, f64.nan, 999.0f64] }
-- input { 0i64 } output { [f64.nan, f64.nan, f64.nan] [f64.nan, f64.nan, f64.nan] }
entry extremes (n: i64): ([3]f64, [3]f64) =
  let keys = map (\i -> if i == 500 || i == 900 then 0 else if i % 2 == 0 then 1 else 2) (iota n)
  let vals =
    map
      (\i ->
        if i == 500 then -0.0
        else if i == 900 then 0.0
        else if i % 2 == 0 then f64.nan
        else f64.i64 i) (iota n)
  in (hist f64.min f64.nan 3 keys vals, hist f64.max f64.nan 3 keys vals)

-- Sums of floats keep the order of the steps.
-- ==
-- entry: floats
-- input { 3000i64 } output { [3.3465408067087976f64, 2.7420521297336062f64, 2.4951569535167777f64] }
entry floats (n: i64): [3]f64 =
  hist (+) 0.0 3 (map (% 3) (iota n)) (map (\i -> 1 / f64.i64 (i + 1)) (iota n))

-- What is in a bin goes into another result: steps need those before them.
-- ==
-- entry: places
-- input { 1000i64 } output { [334i64, 333i64, 333i64] 166167i64 }
entry places (n: i64): ([3]i64, i64) =
  loop (bins, s) = (replicate 3 0, 0) for i < n do
    let before = bins[i % 3]
    in (bins with [i % 3] = before + 1, s + before)

-- Thirty changes in a step, each of which may be left out.
-- ==
-- entry: ladder
-- input { 500i64 } output { [2537i64, 2533i64, 2534i64] }
entry ladder (n: i64): [3]i64 =
  loop bins = replicate 3 0 for i < n do
    let bins = if (i >> 0) % 2 == 0 then bins with [(i + 0) % 3] = bins[(i + 0) % 3] + 1 else bins
    let bins = if (i >> 1) % 2 == 0 then bins with [(i + 1) % 3] = bins[(i + 1) % 3] + 1 else bins
    let bins = if (i >> 2) % 2 == 0 then bins with [(i + 2) % 3] = bins[(i + 2) % 3] + 1 else bins
    let bins = if (i >> 3) % 2 == 0 then bins with [(i + 3) % 3] = bins[(i + 3) % 3] + 1 else bins
    let bins = if (i >> 4) % 2 == 0 then bins with [(i + 4) % 3] = bins[(i + 4) % 3] + 1 else bins
    let bins = if (i >> 5) % 2 == 0 then bins with [(i + 5) % 3] = bins[(i + 5) % 3] + 1 else bins
    let bins = if (i >> 6) % 2 == 0 then bins with [(i + 6) % 3] = bins[(i + 6) % 3] + 1 else bins
    let bins = if (i >> 7) % 2 == 0 then bins with [(i + 7) % 3] = bins[(i + 7) % 3] + 1 else bins
    let bins = if (i >> 8) % 2 == 0 then bins with [(i + 8) % 3] = bins[(i + 8) % 3] + 1 else bins
    let bins = if (i >> 0) % 2 == 0 then bins with [(i + 9) % 3] = bins[(i + 9) % 3] + 1 else bins
    let bins = if (i >> 1) % 2 == 0 then bins with [(i + 10) % 3] = bins[(i + 10) % 3] + 1 else bins
    let bins = if (i >> 2) % 2 == 0 then bins with [(i + 11) % 3] = bins[(i + 11) % 3] + 1 else bins
    let bins = if (i >> 3) % 2 == 0 then bins with [(i + 12) % 3] = bins[(i + 12) % 3] + 1 else bins
    let bins = if (i >> 4) % 2 == 0 then bins with [(i + 13) % 3] = bins[(i + 13) % 3] + 1 else bins
    let bins = if (i >> 5) % 2 == 0 then bins with [(i + 14) % 3] = bins[(i + 14) % 3] + 1 else bins
    let bins = if (i >> 6) % 2 == 0 then bins with [(i + 15) % 3] = bins[(i + 15) % 3] + 1 else bins
    let bins = if (i >> 7) % 2 == 0 then bins with [(i + 16) % 3] = bins[(i + 16) % 3] + 1 else bins
    let bins = if (i >> 8) % 2 == 0 then bins with [(i + 17) % 3] = bins[(i + 17) % 3] + 1 else bins
    let bins = if (i >> 0) % 2 == 0 then bins with [(i + 18) % 3] = bins[(i + 18) % 3] + 1 else bins
    let bins = if (i >> 1) % 2 == 0 then bins with [(i + 19) % 3] = bins[(i + 19) % 3] + 1 else bins
    let bins = if (i >> 2) % 2 == 0 then bins with [(i + 20) % 3] = bins[(i + 20) % 3] + 1 else bins
    let bins = if (i >> 3) % 2 == 0 then bins with [(i + 21) % 3] = bins[(i + 21) % 3] + 1 else bins
    let bins = if (i >> 4) % 2 == 0 then bins with [(i + 22) % 3] = bins[(i + 22) % 3] + 1 else bins
    let bins = if (i >> 5) % 2 == 0 then bins with [(i + 23) % 3] = bins[(i + 23) % 3] + 1 else bins
    let bins = if (i >> 6) % 2 == 0 then bins with [(i + 24) % 3] = bins[(i + 24) % 3] + 1 else bins
    let bins = if (i >> 7) % 2 == 0 then bins with [(i + 25) % 3] = bins[(i + 25) % 3] + 1 else bins
    let bins = if (i >> 8) % 2 == 0 then bins with [(i + 26) % 3] = bins[(i + 26) % 3] + 1 else bins
    let bins = if (i >> 0) % 2 == 0 then bins with [(i + 27) % 3] = bins[(i + 27) % 3] + 1 else bins
    let bins = if (i >> 1) % 2 == 0 then bins with [(i + 28) % 3] = bins[(i + 28) % 3] + 1 else bins
    let bins = if (i >> 2) % 2 == 0 then bins with [(i + 29) % 3] = bins[(i + 29) % 3] + 1 else bins
    in bins

-- Narrow keys and values, of two steps at a time: the number of steps is even or odd, and some keys are outside.
-- ==
-- entry: narrow
-- input { empty([0]i32) empty([0]i32) }
-- output { [0i32, 0i32, 0i32] [0.0, 0.0, 0.0] [0u32, 0u32, 0u32] }
-- input { [0] [7] }
-- output { [7i32, 0i32, 0i32] [1.75, 0.0, 0.0] [1u32, 0u32, 0u32] }
-- input { [0, 1] [7, 6] }
-- output { [7i32, 6i32, 0i32] [1.75, 1.5, 0.0] [1u32, 1u32, 0u32] }
-- input { [0, 1, 2] [7, 6, -5] }
-- output { [7i32, 6i32, -5i32] [1.75, 1.5, -1.25] [1u32, 1u32, 1u32] }
-- input { [0, 1, 2, 3, -1, 0, 1, 2] [7, 6, -5, 4, 3, 2, 1, 0] }
-- output { [9i32, 7i32, -5i32] [2.25, 1.75, -1.25] [2u32, 2u32, 2u32] }
-- input { [0, 1, 2, 3, -1, 0, 1, 2, -2147483647] [7, 6, -5, 4, 3, 2, 1, 0, -1] }
-- output { [9i32, 7i32, -5i32] [2.25, 1.75, -1.25] [2u32, 2u32, 2u32] }
-- input { [0, 1, 2, 3, -1, 0, 1, 2, -2147483647, 2, 2, 0, 1, 2147483647, 1] [7, 6, -5, 4, 3, 2, 1, 0, -1, -2, 2147483640, -4, -5, -6, -7] }
-- output { [5i32, -5i32, 2147483633i32] [1.25, -1.25, 536870908.25] [3u32, 4u32, 4u32] }
-- input { [0, 1, 2, 3, -1, 0, 1, 2, -2147483647, 2, 2, 0, 1, 2147483647, 1, 2] [7, 6, -5, 4, 3, 2, 1, 0, -1, -2, 2147483640, -4, -5, -6, -7, -8] }
-- output { [5i32, -5i32, 2147483625i32] [1.25, -1.25, 536870906.25] [3u32, 4u32, 5u32] }
-- input { [0, 1, 2, 3, -1, 0, 1, 2, -2147483647, 2, 2, 0, 1, 2147483647, 1, 2, 0] [7, 6, -5, 4, 3, 2, 1, 0, -1, -2, 2147483640, -4, -5, -6, -7, -8, -9] }
-- output { [-4i32, -5i32, 2147483625i32] [-1.0, -1.25, 536870906.25] [4u32, 4u32, 5u32] }
entry narrow [n] (keys: [n]i32) (values: [n]i32): ([3]i32, [3]f64, [3]u32) =
  let is = map i64.i32 keys
  in (hist (+) 0 3 is values,
      hist (+) 0 3 is (map (\v -> f64.i32 v / 4) values),
      hist (+) 0 3 is (map (const 1) is))

-- The first key outside is told.
-- ==
-- entry: strict
-- input { [1i32, 0i32, 1i32, 1i32, 0i32] } output { [2i32, 3i32] }
-- input { [1i32, 0i32, 1i32, 2i32, 3i32, 0i32] } error: index 2 is out of bounds for an array of length 2
-- input { [1i32, 0i32, 1i32, 1i32, -1i32] } error: index -1 is out of bounds for an array of length 2
entry strict [n] (keys: [n]i32): [2]i32 =
  loop counts = replicate 2 0 for k in keys do counts with [k] = counts[k] + 1

-- The array that the steps change is also the one that they read.
-- ==
-- entry: own
-- input { [1i32, 2i32, 3i32, 4i32, 0i32] } output { [2i32, 3i32, 4i32, 5i32, 1i32] }
-- input { [0i32, 0i32] } output { [2i32, 0i32] }
-- input { [3i32, 3i32, 3i32, 0i32] } output { [4i32, 3i32, 3i32, 3i32] }
-- input { [1i32] } error: index 1 is out of bounds for an array of length 1
-- input { [1i32, 0i32, 3i32, 2i32, 9i32, 9i32] } error: index 9 is out of bounds for an array of length 6
entry own [n] (xs: *[n]i32): [n]i32 = fold (\acc x -> acc with [x] = acc[x] + 1) xs xs

-- Steps that can fail run together; each reads what those before it have changed.
-- ==
-- entry: chained
-- input { empty([0]i64) } output { [0i64, 1i64, 2i64] }
-- input { [1i64] } output { [0i64, 6i64, 2i64] }
-- input { [0i64, 2i64, 1i64, 1i64] } output { [8i64, 145i64, 33i64] }
-- input { [0i64, 2i64, 1i64, 1i64, 0i64] } output { [245i64, 145i64, 33i64] }
-- input { [2i64, 0i64, 2i64, 0i64, 1i64, 2i64, 0i64, 1i64] } output { [809i64, 337i64, 261i64] }
-- input { [2i64, 0i64, 2i64, 0i64, 1i64, 2i64, 0i64, 1i64, 1i64] } output { [809i64, 1273i64, 261i64] }
-- input { [2i64, 0i64, 2i64, 0i64, 1i64, 3i64, 4i64, 1i64] } error: index -1 is out of bounds for an array of length 3
-- input { [2i64, 0i64, 2i64, 0i64, 1i64, 2i64, 0i64, 1i64, -1i64] } error: index 3 is out of bounds for an array of length 3
entry chained [n] (keys: [n]i64): [3]i64 =
  fold (\acc k -> acc with [k] = 3 * acc[2 - k] + acc[(k + 1) % 3] + 1) (iota 3) keys
