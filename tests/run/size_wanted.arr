-- Sizes that only the place of a call tells.

def ones [n] (x: i64): [n]i64 = replicate n x
def grid [n] [m] 'a (x: a): [n][m]a = replicate n (replicate m x)
def twice x = ones (x + x)

-- Another argument tells the size, or the declared result.
-- ==
-- entry: by_argument
-- input { [1i64, 2i64, 3i64] } output { [8i64, 9i64, 10i64] [2i64, 2i64, 2i64] }
-- input { empty([0]i64) } output { empty([0]i64) empty([0]i64) }
entry by_argument [n] (xs: [n]i64): ([n]i64, [n]i64) =
  (map3 (\x y z -> x + y + z) xs (ones 3) (twice 2), twice 1)

-- ==
-- entry: by_type
-- input { 2i64 } output { [2i64, 2i64, 2i64] 6i64 [[2i64, 2i64], [2i64, 2i64]] }
entry by_type (x: i64): ([3]i64, i64, [2][2]i64) = (ones x, sum (ones x : [3]i64), grid x)

-- The other branch, the other elements, what a loop carries, a field.
-- ==
-- entry: by_others
-- input { true } output { [1i64, 1i64, 1i64] [[7i64, 7i64], [1i64, 2i64]] [3i64, 3i64] }
-- input { false } output { [4i64, 5i64, 6i64] [[7i64, 7i64], [1i64, 2i64]] [3i64, 3i64] }
entry by_others (b: bool): ([3]i64, [2][2]i64, [2]i64) =
  (if b then ones 1 else [4, 5, 6], [ones 7, [1, 2]], loop xs = ones 1 for _i < 2 do map (+ 1) xs)

-- In workers, and of rows.
-- ==
-- entry: of_rows
-- input { [1i64, 2i64] [10i64, 20i64, 30i64] }
-- output { [[11i64, 21i64, 31i64], [12i64, 22i64, 32i64]] [[1i64, 1i64], [2i64, 2i64]] }
entry of_rows [n] [m] (xs: [n]i64) (ys: [m]i64): ([n][m]i64, [n][2]i64) =
  (map (\x -> map2 (+) ys (ones x)) xs, map ones xs)

-- A local function has one size, which its uses tell.
-- ==
-- entry: local_uses
-- input { 2i64 } output { 12i64 [5i64, 5i64, 5i64] }
entry local_uses (x: i64): (i64, [3]i64) =
  let f y = ones y
  let g y = rep y
  in (map2 (+) [1, 2, 3] (f x) |> sum, map2 (+) (f x) (g 3))
