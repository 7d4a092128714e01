-- input
-- How passes run in vectors: `vectors_PROCESSOR.cmd` compile this for several processors.

-- Filters: what is kept moves together, and steps that keep nothing are passed over.
entry filter_i8 [n] (xs: [n]u8): ?[k].([k]u8, u8) = let ys = filter (> 0) xs in (ys, sum ys)
entry filter_i16 [n] (xs: [n]i16): ?[k].([k]i16, i16) = let ys = filter (> 0) xs in (ys, sum ys)
entry filter_i32 [n] (xs: [n]i32): ?[k].([k]i32, i32) = let ys = filter (> 0) xs in (ys, sum ys)
entry filter_f32 [n] (xs: [n]f32): ?[k].([k]f32, f32) = let ys = filter (> 0) xs in (ys, sum ys)
entry filter_i64 [n] (xs: [n]i64): ?[k].([k]i64, i64) = let ys = filter (> 0) xs in (ys, sum ys)
entry filter_f64 [n] (xs: [n]f64): ?[k].([k]f64, f64) = let ys = filter (> 0) xs in (ys, sum ys)
entry kept_places [n] (xs: [n]f64): ?[k].([k]f64, i64, f64) =
  let ys = filter (> 0) xs
  let greater (i, y) (j, z) = if z > y || (z == y && j < i) then (j, z) else (i, y)
  let (at, most) = reduce greater (i64.highest, 0) (indexed ys)
  in (ys, at, most)

-- Nothing is stored where the flag holds: a branch would cost more than it saves.
entry fold_of_kept [n] (xs: [n]i64) (d: i64): i64 = sum (map (/ d) (filter (> 0) xs))

-- What two vectors keep is stored at once, if several arrays are stored and nothing else is done.
entry kept_as_each [n] (xs: [n]i64): ?[k].([k]i64, [k]f64, [k]i32) =
  let ys = filter (> 0) xs in (ys, map f64.i64 ys, map i32.i64 ys)

-- A filter of what is stored runs behind; one of what is only gone through has one mask for both.
entry behind [n] (xs: [n]i32): ?[k][l].([k]i32, [l]i32, i32) =
  let kept = filter (> 0) xs
  let odd = filter (\x -> x & 1 == 1) kept
  in (kept, odd, sum odd)
entry not_behind [n] (xs: [n]i32): ?[l].([l]i32, i32) =
  let odd = filter (\x -> x & 1 == 1) (filter (> 0) xs)
  in (odd, sum odd)

-- Indices that are elements are checked a vector at once; in short rows that would not pay.
entry gather_sum [n] [m] (table: [n]i32) (is: [m]i64): ([m]i32, i32) = let ys = gather table is in (ys, sum ys)
entry gather_kept [n] [m] (table: [n]i32) (is: [m]i64) (least: i64): i32 = sum (gather table (filter (> least) is))
entry gather_rows [l] [n] [m] (table: [l]i64) (iss: [n][m]i64): [n]i64 = map (\is -> sum (gather table is)) iss

-- What is beside the position is loaded as it lies: steps of which it may be outside are no part of the loop.
-- The steps have many operations, so one vector is enough.
entry hottest [n] (xs: [n]f64) (ys: [n]f64): f64 =
  let ripple (x: f64) (y: f64) = x * x * x - 3 * x * y * y + x * y - 2 * x + y * y * y - 5 * y + x * x * y * y
  let wave (x: f64) (y: f64) = (ripple x y + 1) * (ripple y x - 1) + ripple (x + y) (x - y)
  in reduce_comm f64.max (-f64.inf) (map2 wave xs ys)
entry steepest [n] (xs: [n]f64): f64 = reduce f64.max 0 (generate (n - 1) (\i -> xs[i + 1] - xs[i]))
entry steepest_of [n] (xs: [n]f64) (steps: i64): f64 =
  reduce f64.max 0 (generate steps (\i -> xs[i + 1] - xs[i]))

-- Divisors of all steps.
entry divide_i8 [n] (xs: [n]i8) (d: i8): [n]i8 = map (/ d) xs
entry divide_i64 [n] (xs: [n]i64) (d: i64): [n]i64 = map (/ d) xs
entry modulo_u16 [n] (xs: [n]u16) (d: u16): [n]u16 = map (% d) xs
entry quotient_u32 [n] (xs: [n]u32) (d: u32): [n]u32 = map (\x -> x // d) xs
entry remainder_i32 [n] (xs: [n]i32) (d: i32): [n]i32 = map (%% d) xs

-- Divisors that are constants, or differ between steps.
entry tenths_i64 [n] (xs: [n]i64): [n]i64 = map (/ 10) xs
entry eighths_i64 [n] (xs: [n]i64): [n]i64 = map (/ 8) xs
entry ratios_i64 [n] (xs: [n]i64) (ys: [n]i64): [n]i64 = map2 (/) xs ys
entry ratios_u16 [n] (xs: [n]u16) (ys: [n]u16): [n]u16 = map2 (%) xs ys
entry common_i32 [n] (xs: [n]i32) (ys: [n]i32): [n]i32 =
  map2 (\x y -> (loop (a, b) = (x, y) while b != 0 do (b, a % b)).0) xs ys

-- Folds: those that choose, scans, pairs, and extremes of floats.
entry best [n] (xs: [n]f64): (f64, i64) =
  reduce (\(a, i) (b, j) -> if a > b then (a, i) else (b, j)) (-1e300, -1) (zip xs (iota n))
entry best_in_order [n] (xs: [n]f64): (f64, i64) =
  fold (\(a, i) (b, j) -> if a > b then (a, i) else (b, j)) (-1e300, -1) (zip xs (iota n))
entry scan_i32 [n] (xs: [n]i32): [n]i32 = scan (+) 0 xs
entry scan_i64 [n] (xs: [n]i64): [n]i64 = scan (+) 0 xs
entry scan_f64 [n] (xs: [n]f64): [n]f64 = scan (+) 0 xs
entry nearest_f64 [n] [m] (xs: [n]f64) (ys: [m]f64): f64 =
  reduce_comm f64.min 1e30 (map (\(x, y) -> x - y) (cross xs ys))
entry nearest_f32 [n] [m] (xs: [n]f32) (ys: [m]f32): f32 =
  reduce_comm f32.min 1e30 (map (\(x, y) -> x - y) (cross xs ys))
entry nearest_i32 [n] [m] (xs: [n]i32) (ys: [m]i32): i32 =
  reduce_comm i32.min 100 (map (\(x, y) -> x - y) (cross xs ys))
entry extremes [n] (xs: [n]f64): (f64, f64) =
  (reduce_comm f64.min f64.inf xs, reduce_comm f64.max (-f64.inf) xs)
entry highest_kept [n] (xs: [n]f64): f64 = reduce_comm f64.max 0 (filter (> 0) xs)

-- What LLVM does as well, and what runs one step at a time.
entry sum_reduced [n] (xs: [n]f64): f64 = reduce (+) 0 xs
entry sum_in_order [n] (xs: [n]f64): f64 = fold (+) 0 xs
entry sum_kept [n] (xs: [n]f64): f64 = sum (filter (> 0) xs)
entry count_kept [n] (xs: [n]i32): i64 = length (filter (> 0) xs)
entry add [n] (xs: [n]i32) (d: i32): [n]i32 = map (+ d) xs
entry narrow [n] (xs: [n]i64): [n]i8 = map i8.i64 xs
entry power [n] (xs: [n]i64) (d: i64): [n]i64 = map (** d) xs

-- In a loop, the results of a step are small, or read soon: they are not written past the caches.
entry rows [n] [m] (xss: [n][m]i64): [n]i64 = map (\xs -> let ys = scan (+) 0 xs in ys[0] + sum ys) xss

-- Parts of few elements.
entry up_to_one [n] (xs: [n]i32): ?[k].[k]i32 =
  flatmap (\x -> map (\i -> x + i32.i64 i) (iota (i64.i32 (x & 1)))) xs
entry up_to_three [n] (xs: [n]i32): ?[k].[k]i32 =
  flatmap (\x -> map (\i -> x + i32.i64 i) (iota (i64.i32 (x & 3)))) xs
entry up_to_any [n] (xs: [n]i32): ?[k].[k]i32 =
  flatmap (\x -> map (\i -> x + i32.i64 i) (iota (i64.i32 x))) xs

-- Rows end with a vector that repeats elements; one whose steps may fail is left to LLVM.
entry short_rows [h][w] (a: [h][w]f32) (k: i32) (b: [h][w]i32): ([h][w]f32, [h][w]i32) =
  (map (map (* 2)) a, map (map (k /)) b)

-- Columns of short rows, along memory; of longer ones, not.
entry columns_5 [n] (a: [n][5]f64): [5]f64 = reduce (map2 (+)) (replicate 5 0) a
entry columns_5_most [n] (a: [n][5]f64): [5]f64 = fold (map2 f64.max) (replicate 5 0) a
entry columns_40 [n] (a: [n][40]f64): [40]f64 = reduce (map2 (+)) (replicate 40 0) a

-- A scan that begins anew where a flag holds pays in vectors of eight lanes, and in front of a guard that runs behind strips.
entry segments_u8 [n] (flags: [n]bool) (xs: [n]u8): [n]u8 = segmented_scan (+) 0 flags xs
entry segments_f32 [n] (flags: [n]bool) (xs: [n]f32): [n]f32 = segmented_exscan (+) 0 flags xs
entry segments_i64 [n] (flags: [n]bool) (xs: [n]i64): [n]i64 = segmented_scan (+) 0 flags xs
entry segments_max [n] (flags: [n]bool) (xs: [n]i32): [n]i32 = segmented_scan i32.max i32.lowest flags xs
entry segments_counted [n] (flags: [n]bool) (xs: [n]i64): [8]i64 =
  let sums = segmented_reduce (+) 0 flags xs in hist (+) 0 8 sums sums

-- Where lanes cannot move from one vector to the next at once, neighbours are read again.
entry total_variation [n] (xs: [n]f64): f64 = f64.sum (map2 (\x y -> f64.abs (x - y)) (tail xs) (init xs))

-- A column is divided in vectors. A row that changes in its place ends with a vector that is computed first; where steps change one row, its
-- vectors go through all of them.
entry divided_column [n][m] (a: [n][m]f64) (k: i64): [n]f64 = map (/ 3) a[:, k]
entry eliminated [h][w] (a: [h][w]f64): [h][w]f64 =
  loop a = copy a for k in 0..<h - 1 do
    let a[k + 1:, k:] = map (\row -> map2 (\x u -> x - 2 * u) row a[k, k:]) a[k + 1:, k:]
    in a
entry gone_through [n][m] (a: [n][m]f64): [m]f64 =
  loop row = a[0] for k in 1..<n do map2 (\x u -> x - 2 * u) row a[k]

-- Vectors of a sum in a step are as wide as a register if its steps have many operations, and half as wide on AVX-512 if they have few.
entry charges [n] (starts: [n]i64) (xs: []f64) (ys: []f64): [n]f64 =
  map (\k -> let zs = map (+ 1) xs[:k] in f64.sum (map2 (\x y -> x * f64.exp (-0.5 * (x * x + y * y))) zs ys[:k])) starts
entry dots [n] (starts: [n]i64) (xs: []f64) (ys: []f64): [n]f64 =
  map (\k -> f64.sum (map2 (*) xs[:k] ys[:k])) starts
-- A step that counts in bins of its own.
entry bins_of_rows [n][m] (xss: [n][m]i64): [n]i64 = map (\r -> i64.maximum (hist (+) 0 16 (map (% 16) r) (replicate m 1))) xss
-- Searches end earlier in some lanes. The bins that they count change behind strips, also those of an inner loop.
entry searched [n][k] (sorted: [k]f64) (xs: [n]f64): [n]i64 = map (place sorted) xs
entry searched_counts [n][k] (sorted: [k]f64) (xs: [n]f64): [k + 1]i64 =
  hist (+) 0 (k + 1) (map (place sorted) xs) (replicate n 1)
entry searched_pairs [n][m][k] (sorted: [k]f64) (xs: [n]f64) (ys: [m]f64): [k + 1]i64 =
  hist (+) 0 (k + 1) (map (\(x, y) -> place sorted (x * y)) (cross xs ys)) (replicate (n * m) 1)
def place [k] (sorted: [k]f64) (x: f64): i64 =
  let (low, _) = loop (low, high) = (0, k) while low < high do
    let mid = (low + high) / 2 in if sorted[mid] < x then (mid + 1, high) else (low, mid)
  in low
-- Steps that read short rows and check indices run in vectors only if they compute much.
entry linked_much [n][m] (is: [n][2]i32) (ks: [n]f64) (xs: [m]f64): [n]f64 =
  map2 (\i k ->
    let (a, b) = (xs[i64.i32 i[0] & 1023], xs[i64.i32 i[1] & 1023])
    in (a / (k + b) + b / (k + a)) / f64.sqrt (a * a + b * b + k)) is ks
entry linked_little [n][m] (is: [n][2]i32) (xs: [m]f64): [n]f64 =
  map (\i -> xs[i64.i32 i[0] & 1023] / xs[i64.i32 i[1] & 1023]) is
-- Rows of a stencil are made four at a time, if they share enough loads.
entry nine_points [h][w] (x: [h][w]f64): [h][w]f64 =
  tabulate_2d h w (\r c -> if r < 1 || c < 1 || r >= h - 1 || c >= w - 1 then 0 else
    f64.sum (flatten (tabulate_2d 3 3 (\i j -> x[r + i - 1, c + j - 1]))))
entry five_points [h][w] (x: [h][w]f64): [h][w]f64 =
  tabulate_2d h w (\r c -> if r < 1 || c < 1 || r >= h - 1 || c >= w - 1 then 0 else
    x[r, c] + x[r - 1, c] + x[r + 1, c] + x[r, c - 1] + x[r, c + 1])
