-- Sizes as values, in types, and in arithmetic.

-- ==
-- entry: as_values
-- input { [1, 2, 3] [1.0] } output { 3i64 1i64 4i64 }
-- input { empty([0]i32) empty([0]f64) } output { 0i64 0i64 0i64 }
entry as_values [n] [m] (_: [n]i32) (_: [m]f64): (i64, i64, i64) = (n, m, n + m)

-- ==
-- entry: from_a_value
-- input { 3i64 } output { [3i64, 3i64, 3i64] }
entry from_a_value (n: i64): [n]i64 = map (\_ -> n) (iota n)

-- Sizes that are equal by arithmetic are equal.
-- ==
-- entry: arithmetic
-- input { [1i64, 2i64] [3i64] } output { [1i64, 3i64, 5i64] }
entry arithmetic [n] [m] (xs: [n]i64) (ys: [m]i64): [n + m]i64 = map2 (+) (xs ++ ys) (iota (n + m))

-- ==
-- entry: commuted
-- input { [1i64, 2i64] [3i64] } output { [4i64, 3i64, 5i64] }
entry commuted [n] [m] (xs: [n]i64) (ys: [m]i64): [m + n]i64 = map2 (+) (xs ++ ys) (ys ++ xs)

def pairwise [n] 'a 'b (xs: [n]a) (ys: [n]b): [n](a, b) = zip xs ys

-- ==
-- entry: same
-- input { [1, 2] } output { [1, 2] [1, 4] }
entry same [n] (xs: [n]i32): ([n]i32, [n]i32) = unzip (pairwise xs (map (\x -> x * x) xs))

-- ==
-- entry: after_filter
-- input { [1, -2, 3] } output { [2, 6] }
entry after_filter [n] (xs: [n]i32): ?[k].[k]i32 =
  let ys = filter (> 0) xs
  in map2 (+) ys ys

def positives [n] (xs: [n]i32): ?[k].[k]i32 = filter (> 0) xs

-- ==
-- entry: from_a_definition
-- input { [1, -2, 3] } output { [1, 3] [0i64, 1i64] }
entry from_a_definition [n] (xs: [n]i32): ?[k].([k]i32, [k]i64) =
  let ys = positives xs
  in (ys, iota (length ys))

-- ==
-- entry: fixed
-- input { [1, 2, 3] } output { 6 }
-- input { [1, 2] } error: has size 2
entry fixed (xs: [3]i32): i32 = xs[0] + xs[1] + xs[2]

-- ==
-- entry: equal_sizes
-- input { [1, 2] [3, 4] } output { [4, 6] }
-- input { [1, 2] [3] } error: has size (2|1) .* has size (2|1); they must be equal
-- input { empty([0]i32) [3] } error: has size (0|1) .* has size (0|1); they must be equal
entry equal_sizes [n] (xs: [n]i32) (ys: [n]i32): [n]i32 = map2 (+) xs ys

-- A size that another argument tells, one more than which comes first.
-- ==
-- entry: gaps
-- input { [1i64, 4i64, 6i64] [10i64, 20i64] } output { [13i64, 22i64] }
-- input { [1i64] empty([0]i64) } output { empty([0]i64) }
-- input { [1i64, 4i64, 6i64] [10i64, 20i64, 30i64] } error: must be equal
-- input { empty([0]i64) empty([0]i64) } error: must be equal
entry gaps [n] (offsets: [n + 1]i64) (xs: [n]i64): [n]i64 =
  map2 (\i x -> offsets[i + 1] - offsets[i] + x) (iota n) xs

-- A size that an i64 parameter gives.
-- ==
-- entry: given
-- input { 2i64 [5, 6] } output { [5, 7] }
-- input { 3i64 [5, 6] } error: size
entry given (n: i64) (xs: [n]i32): [n]i32 = map2 (\i x -> i32.i64 i + x) (iota n) xs

-- A result whose sizes nobody could find from it: that of `cross` is a product.
def pairs [n] (xs: [n]i64) = cross (filter (> 0) xs) (filter (< 0) xs)

-- ==
-- entry: of_products
-- input { [1i64, -2i64, 3i64] } output { [-2i64, -6i64] 2i64 }
-- input { [1i64] } output { empty([0]i64) 0i64 }
entry of_products [n] (xs: [n]i64) =
  let ps = pairs xs
  let products = map2 (\(x, y) (_, z) -> x * y + z - z) ps ps
  in (products, length ps)
