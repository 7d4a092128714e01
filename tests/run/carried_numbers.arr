-- Loops that carry indices: which of these need no check, and those that fail.

-- Two sorted arrays as one. An index is in bounds because the two add up to the number of steps.
-- ==
-- entry: merge
-- input { [1i64, 4i64, 9i64] [2i64, 3i64] } output { [1i64, 2i64, 3i64, 4i64, 9i64] }
-- input { empty([0]i64) [2i64, 3i64] } output { [2i64, 3i64] }
-- input { [1i64, 4i64] empty([0]i64) } output { [1i64, 4i64] }
-- input { empty([0]i64) empty([0]i64) } output { empty([0]i64) }
entry merge [n] [m] (a: [n]i64) (b: [m]i64): [n + m]i64 =
  let (_, _, out) = loop (i, j, out) = (0, 0, replicate (n + m) 0) for k < n + m do
    if j >= m || (i < n && a[i] <= b[j]) then (i + 1, j, out with [k] = a[i])
    else (i, j + 1, out with [k] = b[j])
  in out

-- The halves of an array, merged.
-- ==
-- entry: merge_halves
-- input { [1i64, 4i64, 9i64, 2i64, 3i64] } output { [1i64, 4i64, 9i64, 2i64, 3i64] }
-- input { [5i64] } output { [5i64] }
-- input { empty([0]i64) } output { empty([0]i64) }
entry merge_halves [n] (xs: [n]i64): [n]i64 =
  let h = n / 2
  in merge (xs[:h]) (xs[h:]) :> [n]i64

-- The indices add up to twice the number of steps, so the first array is left behind.
-- ==
-- entry: merge_twice
-- input { [1i64, 2i64] [0i64, 0i64, 0i64, 0i64] } output { 3i64 }
-- input { [1i64, 2i64] [0i64, 0i64] } output { 1i64 }
-- input { [1i64] [0i64, 0i64, 0i64, 0i64] } error: index 1 is out of bounds
entry merge_twice [n] [m] (a: [n]i64) (b: [m]i64): i64 =
  (loop (i, j, s) = (0, 0, 0) for _k < m do
     if j + 1 >= m || (i < n && a[i] <= b[j]) then (i + 1, j, s + a[i])
     else (i, j + 2, s + b[j])).2

-- ==
-- entry: position
-- input { [1i64, 4i64, 9i64] 5i64 } output { 2i64 }
-- input { [1i64, 4i64, 9i64] 50i64 } output { 3i64 }
-- input { empty([0]i64) 5i64 } output { 0i64 }
entry position [n] (xs: [n]i64) (x: i64): i64 =
  loop i = 0 while i < n && xs[i] < x do i + 1

-- From the end.
-- ==
-- entry: last_below
-- input { [1i64, 4i64, 9i64] 5i64 } output { 1i64 }
-- input { [1i64, 4i64, 9i64] 0i64 } output { -1i64 }
-- input { empty([0]i64) 5i64 } output { -1i64 }
entry last_below [n] (xs: [n]i64) (x: i64): i64 =
  loop i = n - 1 while i >= 0 && xs[i] >= x do i - 1

-- A number of the caller where the index begins.
-- ==
-- entry: sum_from
-- input { [1i64, 2i64, 3i64] 1i64 } output { 5i64 }
-- input { [1i64, 2i64, 3i64] 7i64 } output { 0i64 }
-- input { [1i64, 2i64, 3i64] -1i64 } error: index -1 is out of bounds
entry sum_from [n] (xs: [n]i64) (start: i64): i64 =
  (loop (i, s) = (start, 0) while i < n do (i + 1, s + xs[i])).1

-- The guard is on a number that has wrapped.
-- ==
-- entry: sum_wrapped
-- input { [1i64, 2i64, 3i64] 1i64 } output { 5i64 }
-- input { [1i64, 2i64, 3i64] 9223372036854775807i64 } error: index -9223372036854775808 is out of bounds
entry sum_wrapped [n] (xs: [n]i64) (more: i64): i64 =
  loop s = 0 for i < n do if i + more < n then s + xs[i + more] else s

-- The index goes up and down.
-- ==
-- entry: wander
-- input { [1i64, 1i64, -1i64] 4i64 } output { 2i64 }
-- input { [-1i64, 1i64] 2i64 } error: index -1 is out of bounds
-- input { [1i64, 1i64] 3i64 } error: index 2 is out of bounds
entry wander [n] (xs: [n]i64) (steps: i64): i64 =
  loop i = 0 for _k < steps do if xs[i] > 0 then i + 1 else i - 1

-- Two indices that meet.
-- ==
-- entry: partition
-- input { [3i64, -1i64, 4i64, -5i64] } output { [3i64, 4i64, -1i64, -5i64] }
-- input { [-1i64] } output { [-1i64] }
-- input { empty([0]i64) } output { empty([0]i64) }
entry partition [n] (xs: [n]i64): [n]i64 =
  (loop (i, j, ys) = (0, 0, copy xs) for k < n do
     if ys[k] > 0 then
       let (x, y) = (ys[i], ys[k])
       in (i + 1, j, ys with [i] = y with [k] = x)
     else (i, j + 1, ys)).2

-- Every second element, and an index that the step checks first.
-- ==
-- entry: pairs
-- input { [1i64, 2i64, 3i64, 4i64, 5i64] } output { 14i64 }
-- input { [1i64] } output { 0i64 }
entry pairs [n] (xs: [n]i64): i64 =
  (loop (i, s) = (0, 0) while i + 1 < n do (i + 2, s + xs[i] * xs[i + 1])).1

-- A condition that is not computed by comparisons alone.
-- ==
-- entry: chosen
-- input { [1i64, 2i64, 3i64] 1i64 true } output { 2i64 }
-- input { [1i64, 2i64, 3i64] 5i64 true } output { 0i64 }
-- input { [1i64, 2i64, 3i64] 5i64 false } error: index 5 is out of bounds
-- input { [1i64, 2i64, 3i64] -2i64 true } output { 0i64 }
entry chosen [n] (xs: [n]i64) (i: i64) (asks: bool): i64 =
  if !asks || !(i < 0 || i >= n) then xs[i] else 0

-- Loops that copy an array, or the first half of it, into another one.
-- ==
-- entry: copied
-- input { [1i64, 2i64, 3i64, 4i64] } output { [1i64, 3i64, 7i64, 7i64] [1i64, 3i64, 6i64, 10i64] [7i64, 1i64, 3i64, 6i64, 10i64] }
-- input { [1i64] } output { [7i64] [1i64] [7i64, 1i64] }
-- input { empty([0]i64) } output { empty([0]i64) empty([0]i64) [7i64] }
entry copied [n] (xs: [n]i64): ([n]i64, [n]i64, [n + 1]i64) =
  let half = loop out = replicate n 7 for i < n / 2 do out with [i] = (scan (+) 0 xs)[i]
  let whole =
    let sums = scan (+) 0 xs in loop out = replicate n 7 for i < n do out with [i] = sums[i]
  let behind =
    let sums = scan (+) 0 xs
    in loop out = replicate (n + 1) 7 for i < n do out with [i + 1] = sums[i]
  in (half, whole, behind)

-- ==
-- entry: first_half
-- input { [1i64, 2i64, 3i64, 4i64] } output { [1i64, 3i64, 7i64, 7i64] }
-- input { [1i64, 2i64, 3i64] } output { [1i64, 7i64, 7i64] }
entry first_half [n] (xs: [n]i64): [n]i64 =
  let sums = scan (+) 0 xs
  in loop out = replicate n 7 for i < n / 2 do out with [i] = sums[i]
