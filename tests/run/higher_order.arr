-- Functions as arguments: lambdas, operators, sections, partial application, composition.

def twice 'a (f: a -> a) (x: a): a = f (f x)
def compose 'a 'b 'c (f: b -> c) (g: a -> b): a -> c = \x -> f (g x)
def flip 'a 'b 'c (f: a -> b -> c) (x: b) (y: a): c = f y x
def apply_all 'a (fs: (a -> a, a -> a)) (x: a): a = fs.1 (fs.0 x)

-- ==
-- entry: lambdas
-- input { 3 } output { 11 49 }
entry lambdas (x: i32): (i32, i32) = (twice (\y -> y + 4) x, (\a b -> (a + b) * 7) x 4)

-- ==
-- entry: sections
-- input { 7 } output { 8 8 3 -4 49 true }
entry sections (x: i32): (i32, i32, i32, i32, i32, bool) =
  ((+ 1) x, (1 +) x, (/ 2) x, (3 -) x, (`mul` x) x, (x ==) 7)

def mul (a: i32) (b: i32): i32 = a * b

-- ==
-- entry: operators
-- input { [1, 2, 3] [4, 5, 6] } output { [5, 7, 9] [-3, -3, -3] 6 }
entry operators [n] (xs: [n]i32) (ys: [n]i32): ([n]i32, [n]i32, i32) =
  (map2 (+) xs ys, map2 (-) xs ys, reduce (+) 0 xs)

-- ==
-- entry: partial
-- input { 2 [1, 2, 3] } output { [2, 4, 6] 12 }
entry partial [n] (k: i32) (xs: [n]i32): ([n]i32, i32) =
  let scale = mul k
  let total = reduce (+) 0
  in (map scale xs, total (map scale xs))

-- ==
-- entry: composed
-- input { 5 } output { 12 11 }
entry composed (x: i32): (i32, i32) =
  let f = compose (* 2) (+ 1)
  let g = compose (+ 1) (* 2)
  in (f x, g x)

-- ==
-- entry: flipped
-- input { 10 3 } output { -7 7 }
entry flipped (a: i32) (b: i32): (i32, i32) = (flip (-) a b, a - b)

-- ==
-- entry: in_tuples
-- input { 3 } output { 16 }
entry in_tuples (x: i32): i32 = apply_all ((+ 5), (* 2)) x

-- ==
-- entry: in_records
-- input { 3 } output { 9 }
entry in_records (x: i32): i32 =
  let ops = {inc = (+ 1), square = \y -> y * y}
  in ops.square x + ops.inc (-1)

-- A function that is chosen by its use.
-- ==
-- entry: general
-- input { 1 2.0 } output { 5 8.0 }
entry general (a: i32) (b: f64): (i32, f64) = (twice (+ 2) a, twice (* 2) b)

-- ==
-- entry: folded
-- input { [1, 2, 3] } output { 14 }
-- input { empty([0]i32) } output { 0 }
entry folded [n] (xs: [n]i32): i32 =
  let sum_of f = reduce (+) 0 (map f xs)
  in sum_of (\x -> x * x)

-- ==
-- entry: with_arrays
-- input { [3, 1, 2] } output { 4 }
entry with_arrays [n] (xs: [n]i32): i32 =
  let over f = f xs
  in over (reduce i32.max i32.lowest) + over (reduce i32.min i32.highest)
