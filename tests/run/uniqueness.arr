-- Marks of uniqueness: they change nothing but where arrays are copied.

-- ==
-- entry: filled
-- input { 5i64 } output { [0i64, 1i64, 2i64, 3i64, 4i64] }
-- input { 0i64 } output { empty([0]i64) }
-- input { 1i64 } output { [0i64] }
def fill [n] (xs: *[n]i64) (i: i64): *[n]i64 = if i >= n then xs else fill (xs with [i] = i) (i + 1)

entry filled (n: i64): [n]i64 = fill (replicate n (-1)) 0

-- ==
-- entry: kept
-- input { [5i64, 7i64] } output { [5i64, 7i64] [0i64, 1i64] }
-- input { empty([0]i64) } output { empty([0]i64) empty([0]i64) }
entry kept [n] (xs: [n]i64): ([n]i64, [n]i64) = (xs, fill (copy xs) 0)

-- ==
-- entry: of_input
-- input { [5i64, 7i64] } output { [0i64, 1i64] }
entry of_input [n] (xs: *[n]i64): [n]i64 = fill xs 0

-- A parameter that is passed on with a row of itself: the row stays what it was.

def spread_row [n] [m] (xss: *[n][m]i64) (row: [m]i64) (i: i64): *[n][m]i64 =
  if i >= n then xss else spread_row (xss with [i] = map2 (+) row xss[i]) row (i + 1)

-- ==
-- entry: rows
-- input { [[1i64, 2i64], [3i64, 4i64]] } output { [[2i64, 4i64], [4i64, 6i64]] }
entry rows [n] [m] (xss: [n][m]i64): [n][m]i64 =
  let yss = map (map (* 1)) xss
  in if n == 0 then yss else spread_row (copy yss) (copy yss[0]) 0

-- A value that lives on in the caller, though the parameter is marked, is not changed: the callee gets a copy.

def down [n] (xs: *[n]i64) (i: i64): i64 =
  if i < 0 then i64.sum xs
  else let before = i64.sum xs in before + down (xs with [i] = 0) (i - 1)

-- ==
-- entry: sums
-- input { [1i64, 2i64, 3i64] } output { 10i64 6i64 }
entry sums [n] (xs: [n]i64): (i64, i64) =
  let ys = map (+ 0) xs
  let s = down (copy ys) (n - 1)
  in (s, i64.sum ys)

-- Tuples, records, arrays of tuples, several arrays, and arrays that are swapped.

type state [n] = {cells: [n]i64, seen: [n]bool}

def walk [n] (s: *state [n]) (at: i64) (left: i64): *state [n] =
  if left == 0 then s
  else let next = s.cells[at]
       let seen = s.seen with [at] = true
       let cells = s.cells with [at] = next * 10
       in walk {cells, seen} (next % n) (left - 1)

-- ==
-- entry: walked
-- input { [2i64, 0i64, 1i64] 4i64 } output { [200i64, 0i64, 10i64] [true, true, true] }
-- input { [1i64, 0i64] 0i64 } output { [1i64, 0i64] [false, false] }
entry walked [n] (cells: *[n]i64) (left: i64): ([n]i64, [n]bool) =
  let s = walk {cells, seen = replicate n false} 0 left
  in (s.cells, s.seen)

def swap [n] (t: (*[n]i64, *[n]i64)) (i: i64): (*[n]i64, *[n]i64) =
  let (a, b) = t
  in if i >= n then (a, b)
     else let x = a[i]
          in swap (b, a with [i] = x + 1) (i + 1)

-- ==
-- entry: swapped
-- input { [1i64, 2i64, 3i64] [10i64, 20i64, 30i64] } output { [10i64, 21i64, 30i64] [2i64, 2i64, 4i64] }
entry swapped [n] (a: *[n]i64) (b: *[n]i64): ([n]i64, [n]i64) = swap (a, b) 0

def pairs [n] (xs: *[n](i64, bool)) (i: i64): *[n](i64, bool) =
  if i >= n then xs else pairs (xs with [i] = (i, !xs[i].1)) (i + 1)

-- ==
-- entry: of_pairs
-- input { [9i64, 9i64] [true, false] } output { [0i64, 1i64] [false, true] }
entry of_pairs [n] (xs: [n]i64) (ps: [n]bool): ([n]i64, [n]bool) =
  unzip (pairs (copy (zip xs ps)) 0)

-- Mutual recursion, of which one part only reads.

def even [n] (xs: *[n]i64) (i: i64): *[n]i64 = if i >= n then xs else odd (xs with [i] = 2) (i + 1)
def odd [n] (xs: *[n]i64) (i: i64): *[n]i64 =
  if i >= n then xs else even (xs with [i] = 1 + peek xs (i - 1)) (i + 1)
def peek [n] (xs: [n]i64) (i: i64): i64 = if i <= 0 then xs[0] else peek xs (i - 1)

-- ==
-- entry: evens
-- input { 5i64 } output { [2i64, 3i64, 2i64, 3i64, 2i64] }
entry evens (n: i64): [n]i64 = even (replicate n 0) 0

-- In workers, loops and branches.

-- ==
-- entry: in_workers
-- input { [2i64, 3i64] } output { [1i64, 3i64] [[0i64, 1i64], [0i64, 1i64]] }
entry in_workers [n] (ks: [n]i64): ([n]i64, [n][2]i64) =
  (map (\k -> i64.sum (fill (replicate k 7) 0)) ks, map (\_ -> fill (replicate 2 5) 0) ks)

-- ==
-- entry: in_loop
-- input { 3i64 } output { [0i64, 1i64, 2i64] }
-- input { 0i64 } output { empty([0]i64) }
entry in_loop (n: i64): [n]i64 =
  loop (xs: *[n]i64) = replicate n 4 for i < n do fill xs i

-- ==
-- entry: in_branch
-- input { [3i64, 4i64] true } output { [0i64, 1i64] }
-- input { [3i64, 4i64] false } output { [3i64, 4i64] }
entry in_branch [n] (xs: [n]i64) (c: bool): [n]i64 =
  let (ys: *[n]i64) = map (+ 0) xs
  in if c then fill ys 0 else ys

-- Local functions, functions that are passed, operators.

def twice [n] (f: *[n]i64 -> *[n]i64) (xs: *[n]i64): *[n]i64 = f (f xs)

-- ==
-- entry: passed
-- input { [3i64, 4i64] } output { [5i64, 4i64] }
entry passed [n] (xs: [n]i64): [n]i64 =
  let bump (ys: *[n]i64): *[n]i64 = ys with [0] = ys[0] + 1
  in twice bump (copy xs)

-- ==
-- entry: piped
-- input { [3i64, 4i64] } output { [0i64, 1i64] }
entry piped [n] (xs: [n]i64): [n]i64 = copy xs |> (\(ys: *[n]i64) -> fill ys 0)

-- ==
-- entry: copied
-- input { [3i64, 4i64] 1i64 } output { [3i64, 4i64] 1i64 [3i64, 4i64] }
entry copied [n] (xs: [n]i64) (x: i64): ([n]i64, i64, [n]i64) =
  let (ys, y) = copy (xs, x)
  in (ys, y, (copy {xs}).xs)
