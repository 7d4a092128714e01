-- Counts that stop at a limit: the limit may be applied once, behind the pass, if that gives the same counts.

def keys (n: i64) (k: i64): [n]i64 = map (\i -> (i * i + i / 7) % (k + 2) - 1) (iota n)
-- How often each key occurs.
def times [n] (k: i64) (keys: [n]i64): [k]i64 = map (\key -> count (== key) keys) (iota k)

-- Few steps for each count, as many as it takes, and more; keys outside are ignored.
-- ==
-- entry: up
-- input { 0i64 0i64 } output { true }
-- input { 0i64 3i64 } output { true }
-- input { 1i64 1i64 } output { true }
-- input { 7i64 2i64 } output { true }
-- input { 8i64 2i64 } output { true }
-- input { 9i64 2i64 } output { true }
-- input { 63i64 16i64 } output { true }
-- input { 64i64 16i64 } output { true }
-- input { 65i64 16i64 } output { true }
-- input { 3001i64 5i64 } output { true }
-- input { 3000i64 751i64 } output { true }
-- input { 10i64 -1i64 } error: negative size
entry up (n: i64) (k: i64): bool =
  let is = keys n k
  let counts = hist (\a b -> i32.min 9 (a + b)) 0 k is (replicate n 1)
  in and (map2 (\c t -> c == i32.min 9 (i32.i64 t)) counts (times k is))

-- Down to a limit, in steps of three, from a number that is not zero.
-- ==
-- entry: down
-- input { 0i64 3i64 } output { true }
-- input { 11i64 3i64 } output { true }
-- input { 12i64 3i64 } output { true }
-- input { 2000i64 7i64 } output { true }
entry down (n: i64) (k: i64): bool =
  let is = keys n k
  let counts = hist (\a b -> i64.max (-20) (b + a)) 4 k is (replicate n (-3))
  in and (map2 (\c t -> c == i64.max (-20) (4 - 3 * t)) counts (times k is))

-- Counts that begin beyond the limit: only those that occur become the limit.
-- ==
-- entry: beyond
-- input { 2000i64 8i64 } output { [300i32, 255i32, 300i32, 255i32, 300i32, 255i32, 300i32, 255i32] }
-- input { 0i64 2i64 } output { [300i32, 300i32] }
entry beyond (n: i64) (k: i64): [k]i32 =
  hist (\a b -> i32.min 255 (a + b)) 300 k (map (\i -> 2 * i % k + 1) (iota n)) (replicate n 1)

-- Counts that begin as the counts of another pass: those that do not occur stay beyond the limit.
-- ==
-- entry: counted_before
-- input { 1000i64 } output { [5i64, 5i64, 250i64, 250i64] [5i64, 5i64, 750i64, 750i64] }
-- input { 3i64 } output { [3i64, 2i64, 1i64, 0i64] [5i64, 4i64, 3i64, 0i64] }
entry counted_before (n: i64): ([4]i64, [4]i64) =
  let is = map (& 3) (iota n)
  let limited = fold (\counts k -> counts with [k & 1] = i64.min 5 (counts[k & 1] + 1))
  let plain = fold (\counts k -> counts with [k] = counts[k] + 1) (replicate 4 0) is
  in (limited plain is, limited (hist (+) 0 4 is (replicate n 3)) is)

-- Counts that begin at the limit, and numbers that would wrap.
-- ==
-- entry: at_ends
-- input { 1000i64 } output { [255i32, 255i32] [-2147483648i32, -2147483648i32] [4294967295u32, 4294967295u32] [20u8, 20u8] }
-- input { 0i64 } output { [255i32, 255i32] [2147483647i32, 2147483647i32] [4294967290u32, 4294967290u32] [0u8, 0u8] }
entry at_ends (n: i64): ([2]i32, [2]i32, [2]u32, [2]u8) =
  let is = map (% 2) (iota n)
  in (hist (\a b -> i32.min 255 (a + b)) 255 2 is (replicate n 1),
      hist (\a b -> i32.min 7 (i32.min a (a + b))) i32.highest 2 is (replicate n 1),
      hist (\a b -> u32.min u32.highest (u32.max a (a + b))) 4294967290 2 is (replicate n 1),
      hist (\a b -> u8.min 20 (a + b)) 0 2 is (replicate n 1))

-- An index that is checked: the first one outside is told.
-- ==
-- entry: checked
-- input { 3000i64 4i64 9000i64 } output { [9i32, 9i32, 9i32, 9i32] }
-- input { 3i64 4i64 9000i64 } output { [1i32, 1i32, 1i32, 0i32] }
-- input { 3000i64 4i64 2000i64 } error: index 2004 is out of bounds for an array of length 4
entry checked (n: i64) (k: i64) (first: i64): [k]i32 =
  loop counts = replicate k 0 for i < n do
    let at = if i >= first then i + k else i % k
    in counts with [at] = i32.min 9 (1 + counts[at])

-- The steps use the counts: how many of them find a count at the limit.
-- ==
-- entry: found
-- input { 100i64 4i64 } output { [5i32, 5i32, 5i32, 5i32] 80i64 }
-- input { 3i64 4i64 } output { [1i32, 1i32, 1i32, 0i32] 0i64 }
entry found (n: i64) (k: i64): ([k]i32, i64) =
  loop (counts, at_limit) = (replicate k 0, 0) for i < n do
    let old = counts[i % k]
    in (counts with [i % k] = i32.min 5 (old + 1), at_limit + (if old == 5 then 1 else 0))

-- Several in one pass.
-- ==
-- entry: several
-- input { 2000i64 6i64 } output { true }
-- input { 20i64 6i64 } output { true }
entry several (n: i64) (k: i64): bool =
  let is = keys n k
  let low = hist (\a b -> i32.min 100 (a + b)) 0 k is (replicate n 1)
  let high = hist (\a b -> i64.min 250 (a + b)) 1 k is (replicate n 2)
  let all = hist (+) 0 k is (replicate n 1)
  in and
       (map3 (\l h t -> l == i32.min 100 (i32.i64 t) && h == i64.min 250 (1 + 2 * t)) low high all)

-- In the steps of a pass, and in a loop.
-- ==
-- entry: rows
-- input { 30i64 40i64 } output { true }
-- input { 3i64 1i64 } output { true }
entry rows (m: i64) (n: i64): bool =
  let of_row r =
    hist (\a b -> i32.min 3 (a + b)) 0 5 (map (\i -> (i * r + i) % 6) (iota n)) (replicate n 1)
  let expected r =
    map (\t -> i32.min 3 (i32.i64 t)) (times 5 (map (\i -> (i * r + i) % 6) (iota n)))
  in and (map (\r -> and (map2 (==) (of_row r) (expected r))) (iota m))

-- As rows of the result.
-- ==
-- entry: table
-- input { 2i64 40i64 } output { [[3i32, 3i32, 3i32], [3i32, 3i32, 3i32]] }
-- input { 3i64 2i64 } output { [[1i32, 1i32, 0i32], [1i32, 0i32, 1i32], [2i32, 0i32, 0i32]] }
entry table (m: i64) (n: i64): [m][3]i32 =
  map
    (\r ->
      hist (\a b -> i32.min 3 (a + b)) 0 3 (map (\i -> i * (r + 1) % 3) (iota n)) (replicate n 1))
    (iota m)

-- The keys are a result too.
-- ==
-- entry: with_keys
-- input { 5i64 1i64 } output { [0i64, 3i64, 4i64, 3i64, 0i64] [2i32] }
-- input { 0i64 1i64 } output { empty([0]i64) [0i32] }
-- input { -1i64 1i64 } error: negative size
entry with_keys (n: i64) (k: i64): ([n]i64, [k]i32) =
  let is = map (\i -> i * (4 - i)) (iota n)
  in (is, hist (\a b -> i32.min 9 (a + b)) 0 k is (replicate n 1))
