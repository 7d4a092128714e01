-- `zip` to `zip5` and `unzip` to `unzip5`.

-- ==
-- entry: pairs
-- input { [1, 2] [true, false] } output { [1, 2] [true, false] }
-- input { empty([0]i32) empty([0]bool) } output { empty([0]i32) empty([0]bool) }
entry pairs [n] (xs: [n]i32) (ys: [n]bool): [n](i32, bool) = zip xs ys

-- ==
-- entry: apart
-- input { [1, 2, 3] } output { [1, 2, 3] [1, 4, 9] }
-- input { [4] } output { [4] [16] }
entry apart [n] (xs: [n]i32): ([n]i32, [n]i32) = unzip (map (\x -> (x, x * x)) xs)

-- ==
-- entry: three
-- input { [1, 2] [3, 4] [5, 6] } output { [8, 14] }
entry three [n] (a: [n]i32) (b: [n]i32) (c: [n]i32): [n]i32 =
  map (\(x, y, z) -> x * y + z) (zip3 a b c)

-- ==
-- entry: four
-- input { [1] [2] [3] [4] } output { [4] [3] [2] [1] }
entry four [n] (a: [n]i32) (b: [n]i32) (c: [n]i32) (d: [n]i32): ([n]i32, [n]i32, [n]i32, [n]i32) =
  unzip4 (map (\(w, x, y, z) -> (z, y, x, w)) (zip4 a b c d))

-- ==
-- entry: five
-- input { [1, 1] [2, 2] [3, 3] [4, 4] [5, 5] } output { [5, 5] [4, 4] [3, 3] [2, 2] [1, 1] }
entry five [n] (a: [n]i32) (b: [n]i32) (c: [n]i32) (d: [n]i32) (e: [n]i32):
    ([n]i32, [n]i32, [n]i32, [n]i32, [n]i32) =
  unzip5 (map (\(v, w, x, y, z) -> (z, y, x, w, v)) (zip5 a b c d e))

-- ==
-- entry: unzip_three
-- input { [1, 2] } output { [1, 2] [2, 4] [3, 6] }
entry unzip_three [n] (xs: [n]i32): ([n]i32, [n]i32, [n]i32) =
  unzip3 (map (\x -> (x, 2 * x, 3 * x)) xs)

-- A zip of zips, of which only some is used.
-- ==
-- entry: nested
-- input { [1, 2] [10, 20] [100, 200] } output { [101, 202] }
entry nested [n] (a: [n]i32) (b: [n]i32) (c: [n]i32): [n]i32 =
  map (\((x, _), z) -> x + z) (zip (zip a b) c)

-- ==
-- entry: numbered
-- input { [7i64, 8i64, 9i64] } output { [0i64, 1i64, 2i64] [0i64, 8i64, 18i64] }
-- input { empty([0]i64) } output { empty([0]i64) empty([0]i64) }
entry numbered [n] (xs: [n]i64): ([n]i64, [n]i64) =
  let pairs = zip (iota n) xs
  in (map (.0) pairs, map (\(i, x) -> i * x) pairs)

-- ==
-- entry: filtered
-- input { [1, 2, 3] [3, 2, 1] } output { [2, 3] [2, 1] }
entry filtered [n] (a: [n]i32) (b: [n]i32): ?[k].([k]i32, [k]i32) =
  unzip (filter (\(x, y) -> x >= y) (zip a b))

-- The same by its other name.
-- ==
-- entry: by_number
-- input { [1, 2] [true, false] } output { [1, 2] [true, false] }
-- input { empty([0]i32) empty([0]bool) } output { empty([0]i32) empty([0]bool) }
entry by_number [n] (xs: [n]i32) (fs: [n]bool): ([n]i32, [n]bool) = unzip2 (zip2 xs fs)
