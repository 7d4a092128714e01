-- Functions as values: everything about them is decided when the program is compiled.

def twice 'a (f: a -> a): a -> a = \x -> f (f x)
def compose 'a 'b 'c (f: b -> c) (g: a -> b) (x: a): c = f (g x)
def adder (n: i64): i64 -> i64 = \x -> x + n

-- ==
-- entry: returned
-- input { 1i64 } output { 3i64 6i64 }
entry returned (x: i64): (i64, i64) = (twice (+ 1) x, adder 5 x)

-- ==
-- entry: partly_applied
-- input { [1i64, 2i64] } output { [3i64, 5i64] }
entry partly_applied [n] (xs: [n]i64): [n]i64 = map (compose (+ 1) (* 2)) xs

-- ==
-- entry: in_a_tuple
-- input { 3i64 } output { 4i64 9i64 }
entry in_a_tuple (x: i64): (i64, i64) =
  let (inc, square) = ((+ 1), \y -> y * y)
  in (inc x, square x)

-- ==
-- entry: in_a_record
-- input { 3i64 } output { 4i64 9i64 }
entry in_a_record (x: i64): (i64, i64) =
  let ops = {inc = \y -> y + 1, square = \y -> y * y}
  in ((ops.inc) x, (ops.square) x)

type monoid 'a = {op: a -> a -> a, ne: a}

def fold_with [n] 'a (m: monoid a) (xs: [n]a): a = reduce (m.op) (m.ne) xs

-- ==
-- entry: monoids
-- input { [1i64, 2i64, 3i64, 4i64] } output { 10i64 24i64 }
entry monoids [n] (xs: [n]i64): (i64, i64) =
  (fold_with {op = (+), ne = 0} xs, fold_with {op = (*), ne = 1} xs)

-- ==
-- entry: composed
-- input { 3i64 } output { 8i64 7i64 }
entry composed (x: i64): (i64, i64) = (((+ 1) >-> (* 2)) x, ((+ 1) <-< (* 2)) x)

-- Functions that close over arrays, in workers.
-- ==
-- entry: closure
-- input { [10i64, 20i64, 30i64] [2i64, 0i64] } output { [30i64, 10i64] }
entry closure [n] [m] (table: [n]i64) (is: [m]i64): [m]i64 =
  let look i = table[i]
  in map look is

-- ==
-- entry: curried
-- input { [1i64, 2i64] [3i64, 4i64] } output { [4i64, 6i64] [4i64, 6i64] }
entry curried [n] (xs: [n]i64) (ys: [n]i64): ([n]i64, [n]i64) =
  (map (uncurry (+)) (zip xs ys), map2 (curry (\(x, y) -> x + y)) xs ys)

-- Recursive functions that take functions.
def iterate (f: i64 -> i64) (n: i64) (x: i64): i64 = if n == 0 then x else iterate f (n - 1) (f x)

-- ==
-- entry: iterated
-- input { 3i64 10i64 } output { 13i64 80i64 19i64 }
entry iterated (n: i64) (x: i64): (i64, i64, i64) =
  (iterate (+ 1) n x, iterate (* 2) n x, iterate (\y -> y + n) n x)

-- Functions that call each other.
def even (n: i64): bool = n == 0 || odd (n - 1)
def odd (n: i64): bool = n != 0 && even (n - 1)

-- ==
-- entry: mutual
-- input { [0i64, 1i64, 7i64, 10i64] } output { [true, false, false, true] }
entry mutual [n] (xs: [n]i64): [n]bool = map even xs

def ping [n] (xs: [n]i64) (k: i64): ?[m].[m]i64 =
  if k == 0 then xs else pong (filter (> 0) xs) (k - 1)
def pong [n] (xs: [n]i64) (k: i64): ?[m].[m]i64 =
  if k == 0 then xs else ping (map (\x -> x - 1) xs) (k - 1)

-- ==
-- entry: mutual_arrays
-- input { [1i64, 2i64, 3i64] 3i64 } output { [1i64, 2i64] }
-- input { [1i64, 2i64, 3i64] 0i64 } output { [1i64, 2i64, 3i64] }
entry mutual_arrays [n] (xs: [n]i64) (k: i64): ?[m].[m]i64 = ping xs k

def three_a (n: i64): i64 = if n <= 0 then 0 else 1 + three_b (n - 1)
def three_b (n: i64): i64 = if n <= 0 then 0 else 10 + three_c (n - 1)
def three_c (n: i64): i64 = if n <= 0 then 0 else 100 + three_a (n - 1)

-- ==
-- entry: three
-- input { 5i64 } output { 122i64 }
entry three (n: i64): i64 = three_a n

-- A local function that holds for many types.
-- ==
-- entry: local_polymorphic
-- input { 1 2.5 } output { 1 2.5 [1, 1] }
entry local_polymorphic (x: i32) (y: f64): (i32, f64, [2]i32) =
  let both a = (a, a)
  let (p, _) = both x
  let (q, _) = both y
  in (p, q, let (a, b) = both x in [a, b])

-- Operators of the user, and functions between backquotes.
def (<+>) (a: i64, b: i64) (c: i64, d: i64): (i64, i64) = (a + c, b + d)
def plus (a: i64) (b: i64): i64 = a + b

-- ==
-- entry: operators
-- input { 1i64 2i64 } output { 4i64 6i64 3i64 }
entry operators (a: i64) (b: i64): (i64, i64, i64) =
  let (c, d) = (a, b) <+> (3, 4)
  in (c, d, a `plus` b)
