-- Arrays of arrays in branches, functions, recursion and partial application.

-- ==
-- entry: chosen
-- input { true [[1, 2], [3, 4]] [[5, 6], [7, 8]] } output { [[1, 2], [3, 4]] }
-- input { false [[1, 2], [3, 4]] [[5, 6], [7, 8]] } output { [[6, 7], [8, 9]] }
entry chosen [n] [m] (c: bool) (a: [n][m]i32) (b: [n][m]i32): [n][m]i32 =
  if c then a else map (map (+ 1)) b

-- ==
-- entry: chosen_rows
-- input { [[1, 2], [-3, 4]] } output { [[1, 2], [4, -3]] }
entry chosen_rows [n] (xss: [n][2]i32): [n][2]i32 =
  map (\row -> if row[0] > 0 then row else [row[1], row[0]]) xss

-- ==
-- entry: row_or_other
-- input { true [[1, 2], [3, 4]] [7, 8] } output { [3, 4] }
-- input { false [[1, 2], [3, 4]] [7, 8] } output { [7, 8] }
entry row_or_other [n] [m] (c: bool) (xss: [n][m]i32) (ys: [m]i32): [m]i32 =
  if c then xss[1] else ys

-- Branches with different numbers of rows.
-- ==
-- entry: some_or_all
-- input { [[1, 2], [-3, 4]] true } output { [[1, 2], [-3, 4]] }
-- input { [[1, 2], [-3, 4]] false } output { [[1, 2]] }
-- input { [[-1, 2]] false } output { empty([0][2]i32) }
entry some_or_all [n] [m] (xss: [n][m]i32) (all: bool): ?[k].[k][m]i32 =
  if all then xss else filter (\row -> row[0] > 0) xss

def smooth [n] [m] (xss: [n][m]i32) (steps: i64): [n][m]i32 =
  if steps == 0 then xss
  else smooth (map (\row -> map (\j -> row[j] + row[(j + 1) % m]) (iota m)) xss) (steps - 1)

-- ==
-- entry: smoothed
-- input { [[1, 0, 0], [0, 0, 1]] 0i64 } output { [[1, 0, 0], [0, 0, 1]] }
-- input { [[1, 0, 0], [0, 0, 1]] 2i64 } output { [[1, 1, 2], [1, 2, 1]] }
-- input { empty([0][3]i32) 2i64 } output { empty([0][3]i32) }
entry smoothed [n] [m] (xss: [n][m]i32) (steps: i64): [n][m]i32 = smooth xss steps

def powers [n] (a: [n][n]i64) (k: i64): [n][n]i64 =
  if k == 0 then tabulate_2d n n (\i j -> if i == j then 1 else 0)
  else let half = powers a (k / 2)
       let square = product half half
       in if k % 2 == 0 then square else product a square

def product [n] (a: [n][n]i64) (b: [n][n]i64): [n][n]i64 =
  map (\row -> map (\column -> reduce (+) 0 (map2 (*) row column)) (transpose b)) a

-- ==
-- entry: fibonacci
-- input { 0i64 } output { 0i64 }
-- input { 10i64 } output { 55i64 }
-- input { 50i64 } output { 12586269025i64 }
entry fibonacci (k: i64): i64 = (powers [[1, 1], [1, 0]] k)[0, 1]

-- A recursive function with a tuple that has a matrix in it.
def halve [n] [m] (state: (i64, [n][m]f64)): (i64, [n][m]f64) =
  let (steps, xss) = state
  in if steps == 0 then state else halve (steps - 1, map (map (/ 2)) xss)

-- ==
-- entry: halved
-- input { 3i64 [[8.0, 16.0]] } output { [[1.0, 2.0]] }
entry halved [n] [m] (steps: i64) (xss: [n][m]f64): [n][m]f64 = (halve (steps, xss)).1

-- A recursive function that takes a function, which has a matrix in it.
def each [n] (f: i64 -> i32) (is: [n]i64) (k: i64): [n]i32 =
  if k == 0 then map f is else each f is (k - 1)

-- ==
-- entry: captured
-- input { [[1, 2], [3, 4]] [0i64, 1i64] } output { [1, 4] }
entry captured [n] [m] [k] (xss: [n][m]i32) (is: [k]i64): [k]i32 = each (\i -> xss[i, i]) is 2

-- Polymorphic functions at rows.
def swap 'a 'b (x: a, y: b): (b, a) = (y, x)

def pairs_of [n] 'a (xs: [n]a): [n](a, a) = map (\x -> (x, x)) xs

-- ==
-- entry: polymorphic
-- input { [[1, 2], [3, 4]] } output { [[1, 2], [3, 4]] [1, 3] [[1, 2], [3, 4]] }
entry polymorphic [n] [m] (xss: [n][m]i32): ([n][m]i32, [n]i32, [n][m]i32) =
  let (left, right) = unzip (pairs_of xss)
  let (heads, rows) = unzip (map swap (zip right (map head left)))
  in (rows, heads, id left)

-- ==
-- entry: partially
-- input { [[1, 2], [3, 4]] } output { [[11, 12], [13, 14]] }
entry partially [n] [m] (xss: [n][m]i32): [n][m]i32 =
  let add_all = map (map (+ 10))
  in add_all xss

-- Branches in workers, with arrays of their own.
-- ==
-- entry: branching_rows
-- input { [[1, 2], [-3, 4]] } output { [[2, 4], [-3, 4]] }
entry branching_rows [n] [m] (xss: [n][m]i32): [n][m]i32 =
  map (\row ->
    if reduce (+) 0 row > 2
    then let doubled = map (* 2) row in doubled
    else row) xss

-- A deep recursion in a worker.
def total [n] (xs: [n]i32) (i: i64): i32 = if i == n then 0 else xs[i] + total xs (i + 1)

-- ==
-- entry: totals
-- input { [[1, 2], [3, 4]] } output { [3, 7] }
entry totals [n] [m] (xss: [n][m]i32): [n]i32 = map (\row -> total row 0) xss

-- Sizes as values.
-- ==
-- entry: sizes
-- input { [[1, 2, 3], [4, 5, 6]] } output { [6i64, 6i64] }
entry sizes [n] [m] (xss: [n][m]i32): [n]i64 = map (\row -> n * length row) xss
