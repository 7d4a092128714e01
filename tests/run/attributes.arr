-- Attributes: what is not to be inlined is a function of its own, wherever it is called.

#[noinline]
def square (x: i64): i64 = x * x

#[noinline]
def scaled [n] 'a (op: a -> a) (xs: [n]a): [n]a = map op xs

#[noinline]
def positive [n] (xs: [n]i64): ?[k].([k]i64, i64) =
  let kept = filter (> 0) xs
  in (kept, length kept)

#[noinline]
def inferred x y = (x + y + 0i64, [x, y])

#[noinline]
def same 'a (x: a): a = x

#[noinline]
def constant: i64 = 5

#[noinline]
def gives (k: i64): i64 -> i64 = \x -> x + k

#[noinline]
def checked (x: i64): i64 = assert (x >= 0) (x + 1)

-- ==
-- entry: called
-- input { [1i64, -2i64, 3i64] } output { 9i64 [1i64, 4i64, 9i64] [-1i64, 2i64, -3i64] 14i64 }
-- input { empty([0]i64) } output { 9i64 empty([0]i64) empty([0]i64) 0i64 }
entry called [n] (xs: [n]i64): (i64, [n]i64, [n]i64, i64) =
  (square 3, map square xs, scaled (\x -> -x) xs, reduce (+) 0 (map square xs))

-- ==
-- entry: of_own_sizes
-- input { [1i64, -2i64, 3i64] } output { [1i64, 3i64] 2i64 [2i64, 6i64] }
entry of_own_sizes [n] (xs: [n]i64): ?[k].([k]i64, i64, [k]i64) =
  let (kept, count) = positive xs
  in (kept, count, map2 (+) kept kept)

-- ==
-- entry: others
-- input { 2i64 } output { 5i64 [2i64, 3i64] 7i64 5i64 3i64 }
entry others (x: i64): (i64, [2]i64, i64, i64, i64) =
  let (sum, both) = inferred x 3
  in (sum, both, gives 5 x, constant, same (+ 1) x)

-- ==
-- entry: in_branches
-- input { true [[1i64, 2i64], [3i64, 4i64]] } output { [3i64, 7i64] }
-- input { false [[1i64, 2i64], [3i64, 4i64]] } output { [1i64, 9i64] }
entry in_branches [n] [m] (c: bool) (xss: [n][m]i64): [n]i64 =
  map (\xs -> if c then i64.sum (scaled id xs) else square xs[0]) xss

-- ==
-- entry: failing
-- input { 1i64 } output { 2i64 }
-- input { -1i64 } error: assertion failed: x >= 0, where x is -1
#[noinline]
entry failing (x: i64): i64 = checked x
