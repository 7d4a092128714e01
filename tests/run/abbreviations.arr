-- Type abbreviations: with sizes and types, of functions, sums and each other.

type vec [n] = [n]f64
type pair 'a 'b = (a, b)
type twice 'a = pair a a
type sized [n] 'a = {items: [n]a, limit: a}
type grid [n] [m] 'a = {cells: [n]a, columns: [m]i64}
type op 'a = a -> a -> a
type choice 'a 'b = #left a | #right b
type maybe 'a = choice a ()
type step [n] = [n]i64 -> [n]i64
type kept 'a = a -> ?[k].[k]a
type any = []i64

-- ==
-- entry: sizes
-- input { [1.0, 2.0] [3.0, 4.0] } output { [4.0, 6.0] }
-- input { [1.0] [3.0, 4.0] } error: size
entry sizes [n] (xs: vec [n]) (ys: vec [n]): vec [n] = map2 (+) xs ys

-- ==
-- entry: size_expressions
-- input { [1.0, 2.0, 3.0] } output { 6.0 }
entry size_expressions (xs: vec [2 + 1]): f64 = reduce (+) 0 xs

-- ==
-- entry: nested
-- input { 1 2 } output { 2 1 }
entry nested (a: i32) (b: i32): twice i32 =
  let p: twice i32 = (a, b)
  let flip (q: pair i32 i32): twice i32 = (q.1, q.0)
  in flip p

-- ==
-- entry: mixed
-- input { [1, 5, 9] 6 } output { [true, true, false] }
entry mixed [n] (xs: [n]i64) (limit: i64): [n]bool =
  let s: sized [n] i64 = {items = xs, limit}
  let below [m] (s: sized [m] i64): [m]bool = map (< s.limit) s.items
  in below s

-- ==
-- entry: two_sizes
-- input { [1, 5] [7, 8, 9] } output { 30 2 }
entry two_sizes [n] [m] (xs: [n]i64) (ys: [m]i64): (i64, i64) =
  let g: grid [n] [m] i64 = {cells = xs, columns = ys}
  let total [a] [b] (g: grid [a] [b] i64): (i64, i64) =
    (reduce (+) 0 g.cells + reduce (+) 0 g.columns, a)
  in total g

def apply 'a (f: op a) (x: a): a = f x x

-- ==
-- entry: functions
-- input { 3 } output { 6 9 }
entry functions (x: i32): twice i32 = (apply (+) x, apply (*) x)

def two_steps [n] (f: step [n]) (xs: [n]i64): [n]i64 = f (f xs)

-- ==
-- entry: functions_with_sizes
-- input { [1, 2] } output { [4, 8] }
entry functions_with_sizes [n] (xs: [n]i64): [n]i64 = two_steps (map (* 2)) xs

def from (f: kept i64) (x: i64): ?[k].[k]i64 = f x

-- ==
-- entry: existential
-- input { 3 } output { [0, 1, 2] }
-- input { 0 } output { empty([0]i64) }
entry existential (x: i64): ?[k].[k]i64 = from iota x

-- ==
-- entry: sums
-- input { 3 } output { 4 }
-- input { -3 } output { 0 }
entry sums (x: i64): i64 =
  let m: maybe i64 = if x > 0 then #left x else #right ()
  in match m
     case #left y -> y + 1
     case #right () -> 0

-- ==
-- entry: inferred
-- input { [1, 2, 3] } output { 5 }
entry inferred (xs: any): i64 =
  let ys: any = filter (> 1) xs
  in reduce (+) 0 ys

-- ==
-- entry: records_of_abbreviations
-- input { [1, 2, 3] } output { 3 6 }
entry records_of_abbreviations [n] (xs: [n]i64): (i64, i64) =
  let r: {count: i64, both: twice (maybe i64)} =
    {count = n, both = (#left (reduce (+) 0 xs), #right ())}
  in match r.both
     case (#left total, #right _) -> (r.count, total)
     case _ -> (0, 0)
