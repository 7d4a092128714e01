-- Filters of filters, at lengths around a vector's, a step's, and what an inner filter waits for; against
-- what the same places hold, found one after the other.

def number (n: i64) (i: i64): i64 = (i * 7919 + n * 31) % 101 - 50

def same [n] [m] (xs: [n]i64) (ys: [m]i64): bool =
  n == m && and (generate n (\i -> xs[i] == ys[i]))

-- The places that a condition keeps, one after the other.
def places (n: i64) (p: i64 -> bool): ?[k].[k]i64 =
  let (found, count) = loop (found, count) = (replicate n 0, 0) for i < n do
    if p i then (found with [count] = i, count + 1) else (found, count)
  in take count found

-- Both kept; a sum and the largest of the inner one; three deep.
def agree (least: i64) (part: i64) (n: i64): bool =
  let xs = generate n (number n)
  let kept = filter (> least) xs
  let some = filter (\x -> x % part == 0) kept
  let few = filter (\x -> x % 2 == 0) some
  let most = reduce i64.max i64.lowest some
  let at = places n (\i -> number n i > least)
  let of = places n (\i -> number n i > least && number n i % part == 0)
  let all = map (number n) of
  in same kept (map (number n) at) && same some all
     && same few (filter (\x -> x % 2 == 0) (map (number n) of))
     && i64.sum some == i64.sum all && most == loop most = i64.lowest for x in all do i64.max most x

-- The array ends with the filters: one of them may go over it.
def over (n: i64): bool =
  let ys = scan (+) 0 (generate n (number n))
  let kept = filter (> 0) ys
  let odd = filter (\y -> y % 2 == 1) kept
  let zs = scan (+) 0 (generate n (number n))
  let total = i64.sum zs
  let again = filter (\z -> z > 0 && z % 2 == 1 && total == total) zs
  in same odd again && length kept == length (filter (> 0) zs)

-- ==
-- entry: short_ones
-- input { 70i64 } output { true }
entry short_ones (most: i64): bool =
  and (generate most (\n -> agree 0 2 n && agree 40 3 n && agree (-60) 7 n && over n))

-- ==
-- entry: long_ones
-- input { [511i64, 512i64, 513i64, 1055i64, 1089i64, 2047i64] } output { true }
entry long_ones (ns: []i64): bool =
  all (\n -> agree 0 2 n && agree 40 3 n && agree (-60) 1 n && agree 49 2 n && over n)
    ns
