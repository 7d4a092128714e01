-- Scans that begin anew where a flag holds.

-- Sums of segments, of integers of all widths.
-- ==
-- entry: running
-- input { [false, false, true, false, true, true, false] [1, 2, 3, 4, 5, 6, 7] } output { [1, 3, 3, 7, 5, 6, 13] }
-- input { [true] [7] } output { [7] }
-- input { empty([0]bool) empty([0]i64) } output { empty([0]i64) }
-- random input { [7]bool [7]i64 } auto output
-- random input { [8]bool [8]i64 } auto output
-- random input { [1000]bool [1000]i64 } auto output
-- random input { [4099]bool [4099]i64 } auto output
entry running [n] (flags: [n]bool) (xs: [n]i64): [n]i64 = segmented_scan (+) 0 flags xs

-- ==
-- entry: narrow
-- random input { [1]bool [1]i64 } auto output
-- random input { [333]bool [333]i64 } auto output
-- random input { [1023]bool [1023]i64 } auto output
entry narrow [n] (flags: [n]bool) (xs: [n]i64): ([n]i8, [n]u16, [n]i32) =
  (segmented_scan (+) 0 flags (map i8.i64 xs),
   segmented_scan (*) 1 flags (map u16.i64 xs),
   segmented_scan (^) 0 flags (map i32.i64 xs))

-- Few segments, and floats whose sums are exact.
-- ==
-- entry: few
-- input { 100 } auto output
-- input { 1000 } auto output
-- input { 1001 } auto output
entry few (n: i64): ([n]f64, [n]f32, i64) =
  let flags = generate n (\i -> i % 97 == 13)
  let xs = generate n (\i -> i * i % 31 - 15)
  let sums = segmented_scan (+) 0 flags (map f64.i64 xs)
  in (sums, segmented_scan (+) 0 flags (map f32.i64 xs), i64.sum (map i64.f64 sums))

-- Extremes, which begin anew as well.
-- ==
-- entry: extremes
-- input { [false, false, true, false] [5, 7, 3, 4] } output { [5, 7, 3, 4] [5, 5, 3, 3] }
-- random input { [500]bool [500]i64 } auto output
entry extremes [n] (flags: [n]bool) (xs: [n]i64): ([n]i64, [n]i64) =
  (segmented_scan i64.max i64.lowest flags xs, segmented_scan i64.min i64.highest flags xs)

-- Minima and maxima of floats in segments of 1 to 40 elements, with zeros of both signs, NaN and infinities. The initial value is not neutral.
-- ==
-- entry: float_extremes
-- input { 0 } auto output
-- input { 1 } auto output
-- input { 7 } auto output
-- input { 8 } auto output
-- input { 16 } auto output
-- input { 17 } auto output
-- input { 64 } auto output
-- input { 1000 } auto output
-- input { 4099 } auto output
entry float_extremes (n: i64):
    ?[k].([n]f32, [n]f32, [n]f64, [n]f64, [n]i16, [k]f64, i64) =
  let flags = generate n (\i -> i * i % 41 == 0 || i * i % 127 % 5 == 3)
  let special = [0, -0.0, f64.nan, f64.inf, -f64.inf, 1.5, -7, f64.nan]
  let xs =
    generate n (\i -> if i * 7 % 11 < 8 then special[i * 7 % 11] else f64.i64 (i * 31 % 101 - 70))
  let highs = segmented_scan f64.max 3 flags xs
  in (segmented_scan f32.max (-20) flags (map f32.f64 xs),
      segmented_exscan f32.min 5 flags (map f32.f64 xs),
      highs,
      segmented_scan f64.min (-0.0) flags xs,
      segmented_scan i16.max 3 flags (generate n (\i -> i16.i64 (i * 13 % 37 - 20))),
      segmented_reduce f64.max (-1) flags xs,
      i64.sum (map (\x -> if x > 10 then 1 else 0) highs))

-- A maximum behind a guard. The initial value belongs to the first segment only.
-- ==
-- entry: kept_extremes
-- input { [3, -1, 4, -1, 5, 9, -2, 6] } output { [9, 4, 5, 9, 6] }
-- random input { [1000]i64 } auto output
-- random input { [3001]i64 } auto output
entry kept_extremes [n] (xs: [n]i64): ?[k].[k]i64 =
  let ys = filter (> 0) xs
  in segmented_scan i64.max 9 (map (\y -> y % 5 != 3) ys) ys

-- Runs that a condition ends: the accumulators go on in the first branch, and begin anew as other values in the second one.
-- ==
-- entry: runs
-- input { [3i32, 1i32, -1i32, 2i32, 2i32, 0i32, -5i32, 4i32] } output { -8i32 14i32 }
-- input { empty([0]i32) } output { 0i32 0i32 }
-- random input { [64]i32 } auto output
-- random input { [777]i32 } auto output
entry runs [n] (xs: [n]i32): (i32, i32) =
  fold (\(count, sum) x -> if x >= 0 then (count + 1, sum + x) else (-9, 10)) (0, 0) xs

-- One of the accumulators goes on from the first step to the last.
-- ==
-- entry: some_runs
-- input { [3u8, 1u8, 200u8, 2u8] } output { 2u8 206u8 }
-- random input { [1000]u8 } auto output
entry some_runs [n] (xs: [n]u8): (u8, u8) =
  fold (\(run, sum) x -> (if x >= 100 then 0 else run + x, sum + x)) (0, 0) xs

-- Behind a filter, and in front of one.
-- ==
-- entry: kept
-- input { [3, -1, 4, -1, 5, 9, -2, 6] } output { [3, 7, 12, 21, 27] [7, 12, 21, 27] }
-- random input { [1000]i64 } auto output
-- random input { [3000]i64 } auto output
entry kept [n] (xs: [n]i64): ?[k][m].([k]i64, [m]i64) =
  let ys = filter (> 0) xs
  let sums = segmented_scan (+) 0 (map (\y -> y % 5 == 3) ys) ys
  in (sums, filter (> 6) sums)

-- The sums of all segments, and a histogram of those that are not empty.
-- ==
-- entry: lengths
-- input { [1, 500, 2, 3, 700, 800, 4, 5, 6] } output { [0, 1, 1, 1, 0, 0, 0, 0] }
-- input { empty([0]i64) } output { [0, 0, 0, 0, 0, 0, 0, 0] }
-- random input { [5]i64 } auto output
-- random input { [1024]i64 } auto output
-- random input { [5000]i64 } auto output
entry lengths [n] (text: [n]i64): [8]i64 =
  let letters = map (\x -> x % 1000 < 400) text
  let begins = map_index (\i letter -> i == 0 || !letter || !letters[i - 1]) letters
  let lengths = filter (> 0) (segmented_reduce (+) 0 begins (map i64.bool letters))
  in hist (+) 0 8 lengths (map (const 1) lengths)

-- A step fails: the message names the first one.
-- ==
-- entry: divided
-- input { [true, false, false] [1, 2, 3] [1, 1, 1] } output { [1, 3, 6] }
-- input { [true, false, false] [1, 2, 3] [1, 0, 0] } error: division by zero
-- random input { [100]bool [100]i64 [100]i64 } auto output
entry divided [n] (flags: [n]bool) (xs: [n]i64) (by: [n]i64): [n]i64 =
  segmented_scan (+) 0 flags (map2 (/) xs by)

-- Sums of differences of neighbours.
-- ==
-- entry: variation
-- input { [1, 4, 2, 2] } output { 5 5.0 }
-- input { [1] } output { 0 0.0 }
-- random input { [12]i64 } auto output
-- random input { [4]i64 } auto output
-- random input { [10001]i64 } auto output
entry variation [n] (xs: [n]i64): (i64, f64) =
  let ys = map (\x -> f64.i64 (x % 100)) xs
  in (i64.sum (map2 (\x y -> i64.abs (x - y)) (tail xs) (init xs)),
      f64.sum (map2 (\x y -> f64.abs (x - y)) (tail ys) (init ys)))
