-- Entries whose arguments determine sizes in every possible way. Each is called with random sizes, and uses all its
-- computations.

-- Inferred sums, differences and products.
entry difference (xs: []i64) (ys: []i64) (zs: []i64) = map2 (+) zs (xs ++ ys)
entry counted (n: i64) (xs: []i64) (ys: []i64) = map2 (+) (iota n) (xs ++ ys)
entry ten (xs: []i32) (ys: []i32): [10]i32 = xs ++ ys
entry product (xs: []i64) (ys: []i64) (zs: []i64) =
  map2 (+) (flatten (map (\x -> map (+ x) ys) xs)) zs
entry crossed (xs: []i64) (ys: []i64) (zs: []i64) = map2 (\(x, y) z -> x + y + z) (cross xs ys) zs
entry record (p: {a: [](i64, f64), b: []i64}) (zs: []i64) = map2 (+) zs (map (.0) p.a ++ p.b)
entry rows (xss: [][]i64) (ys: []i64) (zs: []i64) = map (\xs -> map2 (+) xs (ys ++ zs)) xss
entry three (xs: []i64) (ys: []i64) (zs: []i64) (ws: []i64) = map2 (+) (xs ++ ys) (zs ++ ws)

-- Declared sizes.
entry longer [n] (xs: [n + 1]i64) (ys: [n]i64) = (xs, ys, last xs)
entry twice [n] (xs: [n]i64) (ys: [n * 2]i64) = (xs, ys)
entry given (n: i64) (xs: [n]i64) = (n, xs)
entry successor (n: i64) (xs: [n + 1]i64) = (n, xs)
entry matrix (n: i64) (m: i64) (xs: [n * m]i64): [n][m]i64 = unflatten xs
entry cube (n: i64) (m: i64) (k: i64) (xs: [n * m * k]i64): [n][m][k]i64 = unflatten_3d xs
entry equal [n] [m] (xss: [n][m]i64) (yss: [m][n]i64) = (map2 (map2 (+)) xss (transpose yss), n, m)

-- Sizes that are computed.
entry element (n: i64) (m: i64) (i: i64) (j: i64) (xs: []i64): i64 =
  let y: [n][m]i64 = unflatten (sized (n * m) xs) in y[i, j]
entry coerced (n: i64) (xs: []i64) = (xs :> [n]i64)
entry coerced_sum (n: i64) (m: i64) (xs: []i64) = (xs :> [n + m]i64)
entry coerced_matrix (n: i64) (m: i64) (xss: [][]i64) = (xss :> [n][m]i64)
entry nested (n: i64) (m: i64) = generate n (\i -> generate m (\j -> i + j))
entry nested_more (n: i64) (m: i64) = generate n (\i -> generate (m + 1) (\j -> i + j))
entry deep (n: i64) (m: i64) (k: i64) = tabulate_3d n m k (\a b c -> a + b * c)
entry replicated (n: i64) (m: i64) = replicate n (replicate m 1u8)
entry counting (n: i64) = iota n
entry counting_more (n: i64) = iota (n + 1)
entry flat (xss: [][]i8) = flatten xss
entry flat_length (xsss: [][][]i8) = length (flatten xsss)
entry flatter (xsss: [][][]i16) = flatten_3d xsss
entry turned (xss: [][]i16) = transpose xss
entry appended (xss: [][]i8) (yss: [][]i8) = (xss ++ yss, length (xss ++ yss ++ xss))
entry appended_length (n: i64) = length (iota n ++ iota n ++ iota n)
entry cross_length (n: i64) (m: i64) = length (cross (iota n) (iota m))
entry flat_generated (n: i64) (m: i64) =
  length (flatten (generate n (\i -> generate m (\j -> i + j))))
entry mapped (xs: []i64) (m: i64) = map (\x -> map (+ x) (iota m)) xs
entry expanded (xs: []i64) = flatmap (\x -> iota (i64.min x 100)) xs
entry expanded_length (xs: []i64) = length (flatmap (\x -> replicate x x) xs)
entry filtered_rows (xss: [][]i64) = filter (\xs -> length xs < 2) xss
entry halves (xs: []i64) (n: i64) = (take n xs, drop n xs)
entry sliced (xs: []i64) (i: i64) (j: i64) (s: i64) = xs[i:j:s]
entry sliced_rows (xss: [][]i64) (i: i64) (j: i64) = xss[i:j, j]
entry ends (xss: [][]i64) = map init xss
entry turns (xs: []i64) (n: i64) = rotate n xs
entry ranged (a: i64) (b: i64) = length (a...b)
entry ranged_up (a: i64) (b: i64) = length (a..<b)
entry ranged_down (a: i64) (b: i64) = length (a..>b)
entry ranged_steps (a: i64) (s: i64) (b: i64) = length (a..s...b)
entry ranged_unsigned (a: u64) (b: u64) = length (a...b)
entry ranged_bytes (a: i8) (b: i8) = a...b
entry gathered (xs: []i64) (is: []i64) = gather xs is
entry scattered (n: i64) (is: []i64) (xs: []i64) = scatter (replicate n 0) is xs
entry bins (k: i64) (is: []i64) (xs: []i64) = reduce_by_index (replicate k 0) (+) 0 is xs
entry updated (xss: [][]i64) (i: i64) (j: i64) (x: i64) = copy xss with [i, j] = x
entry empty_rows (m: i64): [0][m]i64 = []
entry stencil (xs: []i64) =
  map3 (\a b c -> a + b + c) (init (init xs)) (init (tail xs)) (tail (tail xs))
entry matrices (xss: [][]i64) (yss: [][]i64) = matmul (+) (*) 0 xss yss
