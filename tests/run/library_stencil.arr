-- The library's `stencil`, beside definitions that follow the array mirrored and repeated element by element.

import "stencil"

-- | A mode by its number, so that it is known at run time only.
def mode_of (number: i64): boundary i64 =
  if number == 0 then #clamp
  else if number == 1 then #wrap
  else if number == 2 then #reflect
  else if number == 3 then #mirror
  else #constant 1000

-- | The index that stands for k in an axis of n elements, by the definition of the mode; -1 if the constant stands for it.
def place (number: i64) (n: i64) (k: i64): i64 =
  if number == 0 then (if k < 0 then 0 else if k < n then k else n - 1)
  else if number == 1 then (iota n)[k % n]
  else if number == 2 then (iota n ++ reverse (iota n))[k % (2 * n)]
  else if number == 3
  then (if n == 1 then 0 else (iota n ++ reverse (map (+ 1) (iota (n - 2))))[k % (2 * n - 2)])
  else if 0 <= k && k < n then k
  else -1

-- | Each element around with a weight of its own, so that no two can be exchanged.
def weigh (x: i64) (d: i64) (r: i64): i64 = x * (d + r + 1) * (d + r + 1)

def naive_1 [n] (number: i64) (r: i64) (xs: [n]i64): [n]i64 =
  tabulate n (\i -> i64.sum (tabulate (2 * r + 1) (\k ->
    let at = place number n (i + k - r)
    in weigh (if at < 0 then 1000 else xs[at]) (k - r) r)))

def naive_2 [n] [m] (number: i64) (r: i64) (a: [n][m]i64): [n][m]i64 =
  tabulate_2d n m (\i j -> i64.sum (flatten (tabulate_2d (2 * r + 1) (2 * r + 1) (\k l ->
    let (p, q) = (place number n (i + k - r), place number m (j + l - r))
    in weigh (weigh (if p < 0 || q < 0 then 1000 else a[p, q]) (k - r) r) (2 * (l - r)) (2 * r)))))

def naive_3 [n] [m] [o] (number: i64) (a: [n][m][o]i64): [n][m][o]i64 =
  tabulate_3d n m o (\i j k -> i64.sum (map (\d ->
    let (p, q, s) = (place number n (i + d), place number m (j + 2 - d), place number o (k - 2 * d))
    in weigh (if p < 0 || q < 0 || s < 0 then 1000 else a[p, q, s]) d 2) [-2, -1, 0, 1, 2]))

def around_1 (r: i64) (at: i64 -> i64): i64 =
  i64.sum (tabulate (2 * r + 1) (\k -> weigh (at (k - r)) (k - r) r))

def around_2 (r: i64) (at: i64 -> i64 -> i64): i64 =
  i64.sum (flatten (tabulate_2d (2 * r + 1) (2 * r + 1) (\k l ->
    weigh (weigh (at (k - r) (l - r)) (k - r) r) (2 * (l - r)) (2 * r))))

def around_3 (at: i64 -> i64 -> i64 -> i64): i64 =
  i64.sum (map (\d -> weigh (at d (2 - d) (-2 * d)) d 2) [-2, -1, 0, 1, 2])

-- | Radii that are known at run time only, up to far more than there are elements.
-- ==
-- entry: agree_1
-- random input { [6]i64 } output { true }
-- random input { [3]i64 } output { true }
-- random input { [2]i64 } output { true }
-- input { [5i64] } output { true }
-- input { empty([0]i64) } output { true }
entry agree_1 [n] (xs: [n]i64): bool =
  let same number r =
    and (map2 (==) (stencil_1 (mode_of number) r (around_1 r) xs) (naive_1 number r xs))
  in and (flatten (tabulate_2d 5 9 same))

-- ==
-- entry: agree_2
-- random input { [5][4]i64 } output { true }
-- random input { [2][7]i64 } output { true }
-- random input { [1][1]i64 } output { true }
-- input { empty([0][3]i64) } output { true }
-- input { empty([3][0]i64) } output { true }
entry agree_2 [n] [m] (a: [n][m]i64): bool =
  let same number r =
    and
      (map2 (==) (flatten (stencil_2 (mode_of number) r (around_2 r) a))
         (flatten (naive_2 number r a)))
  in and (flatten (tabulate_2d 5 5 same))

-- | Modes and radii that are known when the program is compiled.
-- ==
-- entry: agree_constant
-- random input { [7][6]i64 } output { [true, true, true, true, true] }
-- random input { [1][3]i64 } output { [true, true, true, true, true] }
-- random input { [2][1]i64 } output { [true, true, true, true, true] }
-- input { empty([0][3]i64) } output { [true, true, true, true, true] }
entry agree_constant [n] [m] (a: [n][m]i64): [5]bool =
  let same b number =
    and (map2 (==) (flatten (stencil_2 b 1 (around_2 1) a)) (flatten (naive_2 number 1 a)))
  in [same #clamp 0, same #wrap 1, same #reflect 2, same #mirror 3, same (#constant 1000) 4]

-- ==
-- entry: agree_3
-- random input { [5][6][9]i64 } output { true }
-- random input { [1][2][3]i64 } output { true }
-- input { empty([4][0][3]i64) } output { true }
entry agree_3 [n] [m] [o] (a: [n][m][o]i64): bool =
  let same number =
    and
      (map2 (==) (flatten_3d (stencil_3 (mode_of number) 4 around_3 a))
         (flatten_3d (naive_3 number a)))
  in and (tabulate 5 same)

-- | In one dimension of two: the others are rows that know nothing of each other.
-- ==
-- entry: agree_axis
-- random input { [5][4]i64 } output { true }
-- random input { [1][2]i64 } output { true }
-- input { empty([0][3]i64) } output { true }
entry agree_axis [n] [m] (a: [n][m]i64): bool =
  let same number =
    let (mode, f) = (mode_of number, around_1 2)
    let columns = transpose (map (naive_1 number 2) (transpose a))
    in and (map2 (==) (flatten (stencil_axis mode 1 2 f a)) (flatten (map (naive_1 number 2) a)))
       && and (map2 (==) (flatten (stencil_axis mode 0 2 f a)) (flatten columns))
  in and (tabulate 5 same)

-- ==
-- entry: weighted
-- input { [1.0, 0.0, 0.0, 8.0] [1.0, 2.0, 4.0] } output { [10.0, 1.0, 32.0, 20.0] [2.0, 1.0, 32.0, 16.0] }
-- input { [1.0, 2.0] empty([0]f64) } output { [0.0, 0.0] [0.0, 0.0] }
-- input { [1.0, 2.0] [1.0, 0.0] } output { [2.0, 1.0] [0.0, 1.0] }
entry weighted [n] [k] (xs: [n]f64) (weights: [k]f64): ([n]f64, [n]f64) =
  (correlate_1 #wrap weights xs,
   (correlate_2 (#constant 0) (transpose [weights]) (transpose [xs]))[:, 0])

-- | Records, and results of another type.
-- ==
-- entry: records
-- input { [1i64, 5i64, 2i64] [true, false, true] } output { [1i64, 1i64, 6i64] [false, true, false] }
entry records [n] (xs: [n]i64) (bs: [n]bool): ([n]i64, [n]bool) =
  unzip
    (stencil_1 (#constant {x = 0, b = false}) 1
       (\at -> ((at (-1)).x + i64.bool (at 0).b, (at 1).b || (at 0).x > 4))
       (map2 (\x b -> {x, b}) xs bs))

-- ==
-- entry: checked
-- input { -1i64 0i64 [1i64, 2i64, 3i64] } error: assertion failed: radius >= 0, where radius is -1
-- "beyond the radius, and beyond the array"
-- input { 1i64 2i64 [1i64, 2i64, 3i64] } error: index 3 is out of bounds for an array of length 3
-- input { 9223372036854775807i64 2i64 [1i64, 2i64, 3i64] } output { [3i64, 3i64, 3i64] }
-- input { 9223372036854775807i64 2i64 empty([0]i64) } output { empty([0]i64) }
entry checked [n] (radius: i64) (d: i64) (xs: [n]i64): [n]i64 =
  stencil_1 #clamp radius (\at -> at d) xs

-- ==
-- entry: fused
-- random input { [8][8]f64 } auto output
-- structure { clusters 1 arrays 0 writes 1 loops 2 }
entry fused [n] [m] (a: [n][m]f64): ([n][m]f64, f64) =
  let b = stencil_2 #wrap 1 (\at -> 0.25 * (at (-1) 0 + at 1 0 + at 0 (-1) + at 0 1)) a
  in (b, reduce_s f64.max 0 (map2_s (\x y -> f64.abs (x - y)) a b))
