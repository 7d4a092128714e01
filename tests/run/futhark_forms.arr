-- Expressions as Futhark's programs write them: comparisons of arrays, numbered fields, commas at the end, and functions
-- without parentheses.

-- ==
-- entry: same
-- input { [1, 2, 3] [1, 2, 3] } output { true false }
-- input { [1, 2, 3] [1, 5, 3] } output { false true }
-- input { empty([0]i32) empty([0]i32) } output { true false }
-- structure { clusters 1 arrays 0 }
entry same [n] (xs: [n]i32) (ys: [n]i32): (bool, bool) = (xs == ys, xs != ys)

-- A comparison fuses with what makes its operands.
-- ==
-- entry: same_made
-- input { [1, 2, 3] } output { true }
-- structure ilp { clusters 1 arrays 0 }
entry same_made [n] (xs: [n]i64): bool = map (* 2) xs == map (\x -> x + x) xs

-- ==
-- entry: same_rows
-- input { [[1, 2], [3, 4]] [[1, 2], [3, 4]] } output { true [true, true] }
-- input { [[1, 2], [3, 4]] [[1, 2], [0, 4]] } output { false [true, false] }
-- input { empty([2][0]i32) empty([2][0]i32) } output { true [true, true] }
-- input { empty([0][2]i32) empty([0][2]i32) } output { true empty([0]bool) }
entry same_rows [n] [m] (xs: [n][m]i32) (ys: [n][m]i32): (bool, [n]bool) =
  (xs == ys, map2 (==) xs ys)

type point = {x: f64, at: [2]i32}

-- NaN equals nothing, and -0.0 equals 0.0.
-- ==
-- entry: same_parts
-- input { [0.0, 1.0] [[1, 2], [3, 4]] [-0.0, 1.0] [[1, 2], [3, 4]] } output { true false true }
-- input { [0.0, f64.nan] [[1, 2], [3, 4]] [0.0, f64.nan] [[1, 2], [3, 4]] } output { false true false }
-- input { [0.0, 1.0] [[1, 2], [3, 4]] [0.0, 1.0] [[1, 2], [3, 9]] } output { false true false }
entry same_parts [n] (as: [n]f64) (is: [n][2]i32) (bs: [n]f64) (js: [n][2]i32): (bool, bool, bool) =
  let points (xs: [n]f64) (ats: [n][2]i32): [n]point = map2 (\x at -> {x, at}) xs ats
  let (ps, qs) = (points as is, points bs js)
  in (ps == qs, ps != qs, (ps, 1) == (qs, 1))

type choice [n] = #many ([n]i64) | #one i64 | #none

def choice [n] (k: i64) (xs: [n]i64): choice [n] =
  if k == 0 then #many xs else if k == 1 then #one xs[0] else #none

-- The array of another constructor is not compared.
-- ==
-- entry: same_choices
-- input { [1, 2] [1, 3] 0i64 0i64 } output { false }
-- input { [1, 2] [1, 3] 1i64 1i64 } output { true }
-- input { [1, 2] [1, 3] 2i64 2i64 } output { true }
-- input { [1, 2] [1, 2] 0i64 2i64 } output { false }
-- input { [1, 2] [1, 2] 0i64 0i64 } output { true }
entry same_choices [n] (xs: [n]i64) (ys: [n]i64) (k: i64) (l: i64): bool =
  choice k xs == choice l ys

-- ==
-- entry: same_words
-- input { [104u8, 105u8] } output { true [false, true] }
entry same_words [n] (text: [n]u8): (bool, [2]bool) =
  (text == ("hi" :> [n]u8), map (\word -> word == (text :> [2]u8)) ["ho", "hi"])

def equal 'a (eq: a -> a -> bool) (x: a) (y: a): bool = eq x y

-- ==
-- entry: as_argument
-- input { [1, 2] } output { true false true }
entry as_argument [n] (xs: [n]i64): (bool, bool, bool) =
  (equal (==) xs xs, equal (!=) (xs, 1) (xs, 1), (== xs) (map id xs))

-- ==
-- entry: carried
-- input { [1, 7, 20] } output { 3 [8, 8, 8] }
entry carried [n] (xs: [n]i64): (i64, [n]i64) =
  let next ys = map (\y -> (y + 8) / 2 + if y % 2 == 1 && y < 8 then 1 else 0) ys
  let (_, ys, k) =
    loop (before, now, k) = (map (+ 1) xs, xs, 0) while before != now && k < 99 do
      (now, next now, k + 1)
  in (i64.min k 3, ys)

-- ==
-- entry: numbered
-- input { 3i64 2.5 } output { 2.5 3 5.5 3 2.5 }
entry numbered (x: i64) (y: f64): (f64, i64, f64, i64, f64) =
  let t = {0 = y, 1 = x}
  let {0 = u, 1 = v} = t
  let sum (p: {0: f64, 1: i64}) = p.0 + f64.i64 p.1
  let (a, b,) = (v, u,)
  in (t.0, t.1, sum t, a, b,)

-- ==
-- entry: commas
-- input { 3i64 } output { [3, 4, 5] 7 }
entry commas (x: i64): ([3]i64, i64,) =
  let r = {a = x, b = [x, x + 1, x + 2,],}
  let {a, b,} = r
  in (b, a + (\(p: (i64, i64,)) -> p.1) (1, 4,))

-- ==
-- entry: last_functions
-- input { 4i64 } output { [0, 1, 4, 9] 14 [10, 11, 12, 13] }
entry last_functions (n: i64): ([n]i64, i64, [n]i64) =
  let squares = tabulate n \i -> i * i
  let apply (f: i64 -> i64) (x: i64): i64 = f x
  let with_both (f: i64 -> i64 -> i64) = f 10 n
  in (squares, with_both \x y -> x + y, map (+ 10) <| tabulate n \i -> apply (\j -> j) i)

-- ==
-- entry: negated
-- input { [true, false] } output { [false, true] 128 100 1 5 }
entry negated [n] (bs: [n]bool): ([n]bool, i64, i64, i64, i64) =
  (map not bs,
   iterate_while (< 100) (* 2) 1,
   iterate_until (>= 100) (* 10) 1,
   iterate_while (< 0) (* 2) 1,
   iterate_until (> 0) (+ 1) 5)
