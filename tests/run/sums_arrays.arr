-- Arrays of sums, and sums of arrays: stored as one array for the tags and one for each value.

type option 'a = #some a | #none

def is_some 'a (x: option a): bool =
  match x
  case #some _ -> true
  case #none -> false

def or_zero (x: option i64): i64 =
  match x
  case #some y -> y
  case #none -> 0

def half (x: i64): option i64 = if x % 2 == 0 then #some (x / 2) else #none

-- ==
-- entry: mapped
-- input { [4, 5, 6] } output { [2, 0, 3] }
-- input { empty([0]i64) } output { empty([0]i64) }
-- input { [-2] } output { [-1] }
entry mapped [n] (xs: [n]i64): [n]i64 = map or_zero (map half xs)

-- ==
-- entry: filtered
-- input { [4, 5, 6] } output { [2, 3] }
-- input { [1, 3] } output { empty([0]i64) }
-- input { empty([0]i64) } output { empty([0]i64) }
entry filtered [n] (xs: [n]i64): ?[k].[k]i64 = map or_zero (filter is_some (map half xs))

-- ==
-- entry: results
-- input { [4, 5] } output { [1, 0] [2, 0] }
-- input { empty([0]i64) } output { empty([0]i64) empty([0]i64) }
entry results [n] (xs: [n]i64): [n](option i64) = map half xs

-- ==
-- entry: arguments
-- input { [1, 0, 1] [5, 6, 7] } output { [5, 0, 7] }
entry arguments [n] (xs: [n](option i64)): [n]i64 = map or_zero xs

-- ==
-- entry: first
-- input { [5, 7, 8, 9, 10] } output { 4 }
-- input { [5, 7] } output { 0 }
-- input { empty([0]i64) } output { 0 }
entry first [n] (xs: [n]i64): i64 =
  let step (acc: option i64) (x: option i64): option i64 = if is_some acc then acc else x
  in or_zero (fold step #none (map half xs))

-- ==
-- entry: largest
-- input { [3, 9, 2] } output { 9 }
-- input { empty([0]i64) } output { -1 }
entry largest [n] (xs: [n]i64): i64 =
  let larger (a: option i64) (b: option i64): option i64 =
    match (a, b)
    case (#none, _) -> b
    case (_, #none) -> a
    case (#some x, #some y) -> #some (i64.max x y)
  in match reduce larger #none (map (\x -> #some x) xs)
     case #some x -> x
     case #none -> -1

-- ==
-- entry: literal
-- input { 7 } output { [7, 0, 1] }
entry literal (x: i64): [3]i64 =
  let xs: [3](option i64) = [#some x, #none, #some 1]
  in map or_zero xs

-- ==
-- entry: generated
-- input { 4 } output { [0, -1, 2, -1] }
-- input { 0 } output { empty([0]i64) }
entry generated (n: i64): [n]i64 =
  let xs = generate n (\i -> if i % 2 == 0 then #even i else #odd (f64.i64 i))
  in map (\x -> match x case #even i -> i case #odd (_: f64) -> -1 : i64)
       (xs : [n](#even i64 | #odd f64))

-- ==
-- entry: replicated
-- input { 3 8 } output { [4, 4, 4] }
-- input { 2 7 } output { [0, 0] }
entry replicated (n: i64) (x: i64): [n]i64 = map or_zero (replicate n (half x))

-- ==
-- entry: gathered
-- input { [2, 3, 4] [2, 0, 1] } output { [2, 1, 0] }
entry gathered [n] [m] (xs: [n]i64) (is: [m]i64): [m]i64 =
  map or_zero (gather (map half xs) is)

-- ==
-- entry: indexed
-- input { [2, 3, 4] 2 } output { 2 }
-- input { [2, 3, 4] 1 } output { 0 }
-- input { [2, 3, 4] 3 } error: index 3 is out of bounds
entry indexed [n] (xs: [n]i64) (i: i64): i64 =
  let halves = map half xs
  in or_zero halves[i]

-- ==
-- entry: appended
-- input { [2, 3] [4] } output { [1, 0, 2] }
entry appended [n] [m] (xs: [n]i64) (ys: [m]i64): [n + m]i64 =
  map or_zero (map half xs ++ map half ys)

-- ==
-- entry: zipped
-- input { [2, 3] [3, 3] } output { [false, true] }
entry zipped [n] (xs: [n]i64) (ys: [n]i64): [n]bool = map2 (\x y -> half x == half y) xs ys

-- Arrays in constructors.

type column [n] = #ints ([n]i64) | #flags [n]bool | #same i64

def total [n] (c: column [n]): i64 =
  match c
  case #ints xs -> reduce (+) 0 xs
  case #flags bs -> reduce (+) 0 (map (\b -> if b then 1 else 0) bs)
  case #same x -> x * n

-- ==
-- entry: columns
-- input { 0 [1, 2, 3] } output { 6 }
-- input { 1 [1, 2, 3] } output { 2 }
-- input { 2 [1, 2, 3] } output { 15 }
-- input { 0 empty([0]i64) } output { 0 }
-- input { 2 empty([0]i64) } output { 0 }
entry columns [n] (k: i32) (xs: [n]i64): i64 =
  let c: column [n] =
    if k == 0 then #ints xs else if k == 1 then #flags (map (> 1) xs) else #same 5
  in total c

-- A size that only one branch makes.
-- ==
-- entry: kept
-- input { true [1, 2, 4] } output { 6 2 }
-- input { false [1, 2, 4] } output { -1 -1 }
entry kept [n] (c: bool) (xs: [n]i64): (i64, i64) =
  let r: option ([]i64) = if c then #some (filter (\x -> x % 2 == 0) xs) else #none
  in match r
     case #some ys -> (reduce (+) 0 ys, length ys)
     case #none -> (-1, -1)

def evens [n] (c: bool) (xs: [n]i64): ?[k].(option ([k]i64)) =
  if c then #some (filter (\x -> x % 2 == 0) xs) else #none

-- ==
-- entry: existential
-- input { true [1, 2, 4] } output { 2 }
-- input { false [1, 2, 4] } output { -1 }
entry existential [n] (c: bool) (xs: [n]i64): i64 =
  match evens c xs
  case #some ys -> length ys
  case #none -> -1

-- Two sizes in two branches.
-- ==
-- entry: two_sizes
-- input { true [1, 2, 4] } output { [2, 4] }
-- input { false [1, 2, 4] } output { [1] }
entry two_sizes [n] (c: bool) (xs: [n]i64): ?[k].[k]i64 =
  let r: #left ([]i64) | #right i64 =
    if c then #left (filter (\x -> x % 2 == 0) xs) else #left (filter (\x -> x % 2 != 0) xs)
  in match r
     case #left ys -> ys
     case #right x -> [x]

-- In a recursive function, as its argument and its result.
def shrink [n] (c: column [n]) (k: i64): column [n] =
  if k == 0 then c
  else match c
       case #ints xs -> shrink (#ints (map (\x -> x / 2) xs)) (k - 1)
       case #flags _ -> #same k
       case #same x -> shrink (#same (x - 1)) (k - 1)

-- ==
-- entry: recursion
-- input { 0 [8, 16] } output { 6 }
-- input { 1 [8, 16] } output { 4 }
-- input { 2 [8, 16] } output { 6 }
entry recursion [n] (k: i32) (xs: [n]i64): i64 =
  total (shrink (if k == 0 then #ints xs else if k == 1 then #flags (map (> 9) xs) else #same 5) 2)

-- Inside a worker, a sum that holds arrays is taken apart where it was made.
-- ==
-- entry: in_worker
-- input { [1, 2, 3] [10, 20] } output { [30, 2, 30] }
entry in_worker [n] [m] (xs: [n]i64) (ys: [m]i64): [n]i64 =
  map (\x ->
    let c: column [m] = if x % 2 == 1 then #ints ys else #same (x / 2)
    in total c)
    xs

-- ==
-- entry: payload_results
-- input { true [1, 2] } output { 1i64 [1, 2] }
-- input { false [1, 2] } output { 0i64 [0, 0] }
entry payload_results [n] (c: bool) (xs: [n]i64): option ([n]i64) =
  if c then #some xs else #none

-- ==
-- entry: payload_arguments
-- input { 1i64 [3, 4] } output { 7 }
-- input { 0i64 [3, 4] } output { 0 }
entry payload_arguments [n] (c: option ([n]i64)): i64 =
  match c
  case #some xs -> reduce (+) 0 xs
  case #none -> 0
