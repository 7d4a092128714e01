-- What can fail is not computed where the program does not reach it: neither before a loop that takes
-- no step, nor before a branch that is not taken.

-- ==
-- entry: in_loops
-- input { empty([0]i64) 0i64 empty([0]i64) } output { empty([0]i64) empty([0]i64) empty([0]i64) }
-- input { [5i64] 2i64 [0i64, 0i64, 0i64, 7i64] } output { [55i64] [12i64] [6i64] }
-- input { [5i64] 0i64 [0i64, 0i64, 0i64, 7i64] } error: division by zero
-- input { [5i64] 2i64 [1i64] } error: index 3 is out of bounds for an array of length 1
-- input { [5i64] -2i64 [0i64, 0i64, 0i64, 7i64] } error: negative size -2
entry in_loops [n] [m] (xs: [n]i64) (d: i64) (ys: [m]i64): ([n]i64, [n]i64, [n]i64) =
  (map (\x -> x + 100 / d) xs,
   map (\x -> x + ys[3]) xs,
   map (\x -> x + reduce (+) 0 (iota d)) xs)

-- ==
-- entry: in_branches
-- input { [-1i64, -2i64] 0i64 empty([0]i64) } output { [0i64, 0i64] [0i64, 0i64] [0i64, 0i64] }
-- input { [-1i64, 3i64] 2i64 [0i64, 0i64, 0i64, 7i64] } output { [0i64, 50i64] [0i64, 7i64] [0i64, 1i64] }
-- input { [-1i64, 3i64] 0i64 [0i64, 0i64, 0i64, 7i64] } error: division by zero
entry in_branches [n] [m] (xs: [n]i64) (d: i64) (ys: [m]i64): ([n]i64, [n]i64, [n]i64) =
  (map (\x -> if x > 0 then 100 / d else 0) xs,
   map (\x -> if x > 0 then ys[3] else 0) xs,
   map (\x -> if x > 0 then reduce (+) 0 (iota d) else 0) xs)

-- ==
-- entry: in_generators
-- input { 0i64 0i64 } output { empty([0]i64) 0i64 }
-- input { 2i64 5i64 } output { [20i64, 20i64] 20i64 }
-- input { 2i64 0i64 } error: division by zero
entry in_generators (n: i64) (d: i64): ([n]i64, i64) =
  (generate n (\_ -> 100 / d), reduce i64.max 0 (map (\_ -> 100 / d) (iota n)))

-- ==
-- entry: in_pairs
-- input { [1i64] empty([0]i64) 0i64 } output { 0i64 }
-- input { empty([0]i64) [1i64] 0i64 } output { 0i64 }
-- input { [1i64] [3i64] 2i64 } output { 15i64 }
-- input { [1i64] [3i64] 0i64 } error: division by zero
entry in_pairs [n] [m] (xs: [n]i64) (ys: [m]i64) (d: i64): i64 =
  cross xs ys |> map (\(x, y) -> x * y * (10 / d)) |> reduce (+) 0

-- After a filter that lets nothing pass.
-- ==
-- entry: after_filters
-- input { [-1i64, -2i64] 0i64 } output { empty([0]i64) 0i64 }
-- input { [4i64, -2i64] 2i64 } output { [2i64] 50i64 }
-- input { [4i64, -2i64] 0i64 } error: division by zero
entry after_filters [n] (xs: [n]i64) (d: i64): ?[k].([k]i64, i64) =
  let ps = filter (> 0) xs
  in (map (/ d) ps, fold (\acc _ -> acc + 100 / d) 0 ps)

-- In a filter's own predicate, and in the function of a fold.
-- ==
-- entry: in_predicates
-- input { empty([0]i64) 0i64 } output { empty([0]i64) 0i64 }
-- input { [5i64, 60i64] 2i64 } output { [60i64] 100i64 }
-- input { [5i64] 0i64 } error: division by zero
entry in_predicates [n] (xs: [n]i64) (d: i64): ?[k].([k]i64, i64) =
  (filter (\x -> x > 100 / d) xs, fold (\acc _ -> acc + 100 / d) 0 xs)

-- The operand of a section is computed where the section stands, once.
-- ==
-- entry: in_sections
-- input { [5i64, 60i64] 2i64 } output { [60i64] }
-- input { empty([0]i64) 0i64 } error: division by zero
entry in_sections [n] (xs: [n]i64) (d: i64): ?[k].[k]i64 = filter (> 100 / d) xs

-- The first error in the order of the elements is told.
-- ==
-- entry: first_error
-- input { [1i64, 7i64, 9i64] [0i64] } error: index 1 is out of bounds for an array of length 1
-- input { [0i64, 9i64, 7i64] [0i64] } error: index 9 is out of bounds for an array of length 1
entry first_error [n] [m] (is: [n]i64) (xs: [m]i64): [n]i64 = gather xs is

-- Constants that would fail, where nothing reaches them.
-- ==
-- entry: constant_failures
-- input { false } output { 0i64 }
-- input { true } error: division by zero
entry constant_failures (c: bool): i64 = if c then 1 / (2 - 2) else 0
