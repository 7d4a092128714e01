-- `map` to `map5`, on no, one and more elements.

-- ==
-- entry: one
-- input { [1, 2, 3] } output { [11, 12, 13] }
-- input { [5] } output { [15] }
-- input { empty([0]i32) } output { empty([0]i32) }
entry one [n] (xs: [n]i32): [n]i32 = map (+ 10) xs

-- ==
-- entry: two
-- input { [1, 2, 3] [1.5, 2.5, 3.5] } output { [2.5, 4.5, 6.5] }
-- input { [1] [0.5] } output { [1.5] }
-- input { empty([0]i32) empty([0]f64) } output { empty([0]f64) }
entry two [n] (xs: [n]i32) (ys: [n]f64): [n]f64 = map2 (\x y -> f64.i32 x + y) xs ys

-- ==
-- entry: three
-- input { [true, false] [1, 2] [10, 20] } output { [1, 20] }
-- input { empty([0]bool) empty([0]i32) empty([0]i32) } output { empty([0]i32) }
entry three [n] (cs: [n]bool) (xs: [n]i32) (ys: [n]i32): [n]i32 =
  map3 (\c x y -> if c then x else y) cs xs ys

-- ==
-- entry: four
-- input { [1, 2] [10, 20] [100, 200] [1000, 2000] } output { [1111, 2222] }
-- input { [4] [3] [2] [1] } output { [10] }
entry four [n] (a: [n]i32) (b: [n]i32) (c: [n]i32) (d: [n]i32): [n]i32 =
  map4 (\a b c d -> a + b + c + d) a b c d

-- ==
-- entry: five
-- input { [1i64, 2i64] [3i64, 4i64] [5i64, 6i64] [7i64, 8i64] [9i64, 10i64] } output { [-23i64, -26i64] }
-- input { empty([0]i64) empty([0]i64) empty([0]i64) empty([0]i64) empty([0]i64) } output { empty([0]i64) }
entry five [n] (a: [n]i64) (b: [n]i64) (c: [n]i64) (d: [n]i64) (e: [n]i64): [n]i64 =
  map5 (\a b c d e -> a - b - c - d - e) a b c d e

-- One array twice, and a map of a map.
-- ==
-- entry: squares
-- input { [1, 2, 3] } output { [2, 5, 10] }
-- input { empty([0]i32) } output { empty([0]i32) }
entry squares [n] (xs: [n]i32): [n]i32 = map (+ 1) (map2 (*) xs xs)

-- Elements do not matter: only their number does.
-- ==
-- entry: constant
-- input { [4, 5, 6] } output { [7u8, 7u8, 7u8] }
entry constant [n] (xs: [n]i32): [n]u8 = map (\_ -> 7u8) xs

-- An array that is both a result and an input of another.
-- ==
-- entry: both
-- input { [1, 2] } output { [2, 4] [3, 5] }
entry both [n] (xs: [n]i32): ([n]i32, [n]i32) =
  let ys = map (* 2) xs
  in (ys, map (+ 1) ys)

-- An input as it is, and twice.
-- ==
-- entry: same
-- input { [1, 2] } output { [1, 2] [1, 2] }
-- input { empty([0]i32) } output { empty([0]i32) empty([0]i32) }
entry same [n] (xs: [n]i32): ([n]i32, [n]i32) = (xs, xs)
