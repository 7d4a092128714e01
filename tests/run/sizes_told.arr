-- Sizes that no argument tells: the use of a definition does, wherever its name stands.

def counting [n]: [n]i64 = iota n

-- ==
-- entry: constant
-- input { 3i64 } output { [2i64, 3i64, 4i64] }
-- input { -1i64 } error: negative size -1
entry constant (x: i64): [x]i64 = map2 (+) counting (replicate x 2)

-- ==
-- entry: in_rows
-- input { 3i64 } output { [[0i64, 1i64, 2i64], [1i64, 2i64, 3i64]] }
entry in_rows (x: i64): [2][x]i64 = map (\i -> map2 (+) counting (replicate x i)) (iota 2)

def both [n]: ([n]i64, {rows: [n][n]i64, n: i64}) = (iota n, {rows = replicate n (iota n), n})

-- ==
-- entry: in_parts
-- input { 2i64 } output { [0i64, 1i64] [[0i64, 1i64], [0i64, 1i64]] 2i64 }
entry in_parts (x: i64): ([x]i64, [x][x]i64, i64) =
  let (a, r) = both
  in (a, r.rows, r.n)

def add_positions [n]: [n]i64 -> [n]i64 = map2 (+) (iota n)

-- ==
-- entry: of_function
-- input { [5i64, -5i64, 6i64] } output { [5i64, -4i64, 8i64] [5i64, 7i64] }
entry of_function [n] (xs: [n]i64): ?[k].([n]i64, [k]i64) =
  (add_positions xs, add_positions (filter (> 0) xs))

def at_four [n] (f: [n]i64 -> i64): i64 = f (replicate n 1)

-- ==
-- entry: of_argument
-- input { 10i64 } output { 14i64 }
entry of_argument (x: i64): i64 = at_four (\(ys: [4]i64) -> x + i64.sum ys)

def behind [n] [m] (_: [n]i64) (_: [n + m]i64): i64 = m

-- ==
-- entry: rest
-- input { [1i64, 2i64, 3i64] } output { 2i64 }
-- input { empty([0]i64) } error: negative size -1 in behind
entry rest [n] (xs: [n]i64): i64 = behind [7] xs

-- A recursive function that is given functions, the sizes of whose results it does not know.
def after 'a 'b (steps: i64) (f: a -> b) (x: a): b =
  if steps <= 0 then f x else after (steps - 1) f x

-- ==
-- entry: passed_on
-- input { [1i64, 2i64] [3i64, 4i64, 5i64] } output { [7i64, 7i64] [[0i64, 1i64, 2i64], [3i64, 4i64, 5i64]] }
entry passed_on [n] [m] (xs: [n]i64) (ys: [m]i64): ([n]i64, [n][m]i64) =
  (after 3 rep 7, after 2 unflatten (iota (n * m)))

-- ==
-- entry: in_lambda
-- input { [1i64, 2i64] } output { [0i64, 1i64] }
entry in_lambda [n] (_: [n]i64): [n]i64 = after 1 (\() -> counting) ()

-- Sizes of a recursive function's result that are dimensions besides others.
def ends [n] (xs: [n]i64): ?[k][l].([k]i64, [k + l]i64) =
  if n <= 2 then (xs, xs ++ xs) else ends (tail xs)

def one_more [n] (xs: [n]i64): ?[k].[k + 1]i64 = if n == 0 then [9] else one_more (tail xs)

-- ==
-- entry: of_result
-- input { [1i64, 2i64, 3i64] } output { 2i64 4i64 2i64 1i64 empty([0]i64) }
entry of_result [n] (xs: [n]i64): ?[r].(i64, i64, i64, i64, [r]i64) =
  let [a] [b] (_: [a]i64, _: [b]i64) = ends xs
  let [c] _: [c]i64 = one_more xs
  in (a, b, b - a, c, tail (one_more xs))
