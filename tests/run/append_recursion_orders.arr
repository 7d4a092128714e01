-- Recursive functions that append what their calls give, where that is not one chain of calls: what one call gives is
-- appended to each other, is updated, is used twice, or comes to an entry, a loop or a worker.

-- One call gives both parts.
def own (n: i64): ([]i64, []i64) =
  if n <= 0 then ([n], [])
  else
    let (a, b) = own (n - 1)
    in (a ++ b, [n])

-- ==
-- entry: parts
-- input { 0i64 } output { [0i64] empty([0]i64) }
-- input { 3i64 } output { [0i64, 1i64, 2i64] [3i64] }
entry parts (n: i64): ([]i64, []i64) = own n

-- Two calls, whose results are appended to each other's.
def cross (n: i64): ([]i64, []i64) =
  if n <= 0 then ([1], [2])
  else
    let (a, b) = cross (n - 1)
    let (c, d) = cross (n - 2)
    in (a ++ [n] ++ c, d ++ b)

-- ==
-- entry: crossed
-- input { 0i64 } output { [1i64] [2i64] }
-- input { 2i64 } output { [1i64, 1i64, 1i64, 2i64, 1i64] [2i64, 2i64, 2i64] }
-- input { 4i64 } output { [1i64, 1i64, 1i64, 2i64, 1i64, 3i64, 1i64, 1i64, 1i64, 4i64, 1i64, 1i64, 1i64, 2i64, 1i64] [2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64, 2i64] }
entry crossed (n: i64): ([]i64, []i64) = cross n

-- Two functions that call each other.
def even (n: i64): []i64 = if n <= 0 then [] else odd (n - 1) ++ [n] ++ even (n - 2)
def odd (n: i64): []i64 = if n <= 0 then [1] else even (n - 1) ++ odd (n - 2) ++ [-n]

-- In the functions of passes: what all share is appended to.
-- ==
-- entry: shared
-- input { 0i64 [7i64] } output { empty([0]i64) empty([0]i64) [7i64] }
-- input { 3i64 [5i64, 6i64] } output { [5i64, 6i64, 1i64, 1i64, 1i64, -2i64, 3i64, 1i64, 1i64, 1i64, 1i64, -1i64, 2i64, 5i64, 6i64, 1i64, 1i64, 1i64, -2i64, 3i64, 1i64, 1i64, 1i64, -1i64, 1i64, -1i64, 2i64, 5i64, 6i64, 1i64, 1i64, 1i64, -2i64, 3i64, 1i64, 1i64, 1i64, 1i64, 1i64, -2i64, 1i64, -1i64, 2i64] [24i64, 22i64, 24i64] [5i64, 6i64, 1i64, 1i64, 1i64, -2i64, 3i64, 1i64, 1i64] }
-- input { 4i64 empty([0]i64) } output { [1i64, -1i64, 2i64, 1i64, -1i64, -3i64, 4i64, 1i64, -1i64, 2i64, 1i64, 1i64, -1i64, 2i64, 1i64, -1i64, 2i64, 1i64, -1i64, -3i64, 4i64, 1i64, -1i64, 2i64, 1i64, -1i64, 1i64, -1i64, 2i64, 1i64, -1i64, 2i64, 1i64, -1i64, -3i64, 4i64, 1i64, -1i64, 2i64, 1i64, 1i64, 1i64, -2i64, 1i64, -1i64, 2i64, 1i64, -1i64, 2i64, 1i64, -1i64, -3i64, 4i64, 1i64, -1i64, 2i64, 1i64, 1i64, -1i64, 2i64] [2i64, 0i64, 2i64, -2i64] [1i64, -1i64, 2i64, 1i64, -1i64, -3i64, 4i64, 1i64, -1i64, 2i64] }
entry shared (n: i64) (xs: []i64): ([]i64, []i64, []i64) =
  let both = xs ++ even n
  let all = flatmap (\x -> both ++ odd (x % 3) ++ even 2) (iota n)
  in (all, map (\x -> i64.sum (xs ++ odd (x % 4)) + i64.sum (odd x ++ xs)) (iota n), both)

-- What a call gives is updated, and so is what was appended to it.
def update (n: i64): []i64 =
  if n <= 0 then [0, 1]
  else
    let a = update (n - 1) ++ [n]
    let b = a with [0] = n
    let c = update (n - 2) ++ a
    in (b ++ c) with [1] = length a

-- ==
-- entry: updated
-- input { 0i64 } output { [0i64, 1i64] }
-- input { 1i64 } output { [1i64, 3i64, 1i64, 0i64, 1i64, 0i64, 1i64, 1i64] }
-- input { 3i64 } output { [3i64, 21i64, 1i64, 0i64, 1i64, 0i64, 1i64, 1i64, 2i64, 0i64, 1i64, 1i64, 3i64, 1i64, 0i64, 1i64, 0i64, 1i64, 1i64, 2i64, 3i64, 1i64, 3i64, 1i64, 0i64, 1i64, 0i64, 1i64, 1i64, 2i64, 9i64, 1i64, 0i64, 1i64, 0i64, 1i64, 1i64, 2i64, 0i64, 1i64, 1i64, 3i64, 1i64, 0i64, 1i64, 0i64, 1i64, 1i64, 2i64, 3i64] }
entry updated (n: i64): []i64 = update n

-- What fails between two calls fails where it did, whatever is appended first.
def divide (n: i64) (k: i64): []i64 =
  if n <= 0 then []
  else
    let l = divide (n - 1) k
    let x = 10 / (k - n)
    let r = divide (n - 2) k
    in r ++ [x] ++ l

-- ==
-- entry: divided
-- input { 4i64 9i64 } output { [1i64, 1i64, 2i64, 1i64, 1i64, 1i64, 1i64] }
-- input { 4i64 3i64 } error: division
entry divided (n: i64) (k: i64): []i64 = divide n k

-- The arrays are the function's own.
def taken (n: i64) (a: *[]i64): *[]i64 =
  if n <= 0 || length a == 0 then a
  else
    let b = a with [n % length a] = n
    let c = copy b
    in taken (n - 1) b ++ [n] ++ taken (n - 2) c

-- ==
-- entry: owned
-- input { 3i64 [8i64, 9i64] } output { [2i64, 1i64, 1i64, 2i64, 1i64, 2i64, 2i64, 3i64, 3i64, 8i64, 1i64, 1i64, 8i64, 1i64] [8i64, 9i64] }
-- input { 2i64 empty([0]i64) } output { empty([0]i64) empty([0]i64) }
entry owned (n: i64) (xs: []i64): ([]i64, []i64) = (taken n (copy xs), xs)

-- An entry that calls itself.
-- ==
-- entry: itself
-- input { 0i64 [7i64] } output { [7i64] [1i64] }
-- input { 3i64 [7i64] } output { [7i64, 3i64, 2i64, 1i64, 1i64, 7i64, 3i64, 2i64, 7i64, 3i64, 2i64, 2i64, 7i64, 3i64, 7i64, 3i64, 3i64, 7i64, 1i64, 1i64, 7i64, 7i64, 7i64] [1i64, 2i64, 2i64, 3i64, 4i64] }
-- input { 2i64 empty([0]i64) } output { [2i64, 1i64, 1i64, 2i64, 2i64, 2i64] [0i64, 1i64, 2i64] }
entry itself (n: i64) (xs: []i64): ([]i64, []i64) =
  if n <= 0 then (xs, [length xs])
  else
    let (a, b) = itself (n - 1) (xs ++ [n])
    let (c, d) = itself (n - 2) xs
    in (a ++ [n] ++ c ++ xs, d ++ b)

-- Calls in the condition of a loop, and in what it carries.
def looped (n: i64) (xs: []i64): []i64 =
  if n <= 0 then xs
  else
    loop a = xs while length a < 10 && i64.sum (even (length a % 3)) < 9 do
      a ++ looped (n - 1) (take (i64.min 1 (length a)) a) ++ a ++ [n]

-- ==
-- entry: whiled
-- input { 1i64 [1i64] } output { [1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64] [1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64] }
-- input { 2i64 empty([0]i64) } output { [1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 2i64] [1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 1i64, 2i64] }
entry whiled (n: i64) (xs: []i64): ([]i64, []i64) =
  (looped n xs, looped (n - 1) (looped n xs) ++ xs)

-- A step extends what a call gives, and gives up the result.
-- ==
-- entry: extended_in_step
-- input { 3i64 } output { [3i64, 3i64, 5i64] }
entry extended_in_step (n: i64): []i64 = map (\x -> i64.sum (odd x ++ [x, 2])) (iota n)

-- A loop in a step appends what a call gives, and one element more.
-- ==
-- entry: extended_in_loops
-- input { 5i64 } output { [0i64, 2i64, 4i64, 8i64, 11i64] }
entry extended_in_loops (n: i64): []i64 =
  map (\x -> let ys = loop ys = [x] for i < x do ys ++ odd i ++ [i] in i64.sum ys) (iota n)
