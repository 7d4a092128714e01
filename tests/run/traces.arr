-- Traces change no value. The tests of `traces` look at what they print.

-- | A number that a program traces each time it is computed.
def half (x: f64): f64 = trace (x / 2)

type point = {x: f64, y: i32}

-- ==
-- entry: values
-- input { [1.5, 2.0, 3.0] 3i64 } output { 324.5 }
entry values [n] (xs: [n]f64) (k: i64): f64 =
  let ys = trace_as "ys" (map (* 2) xs)
  let zs = trace (zip ys (iota n))
  let ps: [n]point = trace_as "ps" (map (\(y, i) -> {x = y, y = i32.i64 i}) zs)
  let s: #none | #some i64 (#a f64 | #b) = trace_as "s" (if k > 2 then #some k (#a 2.5) else #none)
  let big = trace_as "big" (tabulate_2d 100 100 (\i j -> i * 100 + j))
  let halves = map half ys
  let positions = map trace (iota 3)
  let piped = (k + 1) |> trace
  let few = trace (filter (> 1000) xs)
  let m = trace_as "m" (true, f32.nan, 1e20, -5i8, (), 200u8, f32.inf, 0.1f32, 1e-7)
  let first =
    match s
    case #none -> 0
    case #some a _ -> f64.i64 a
  in f64.sum halves + f64.i64 (length few + piped + i64.sum positions + big[3, 4]) + ps[0].x + first
     + f64.bool m.0

-- In the order of the program, as often as it says.
-- ==
-- entry: ordered
-- input { [3i64, 1i64, 2i64] } output { 6i64 [1i64, 2i64] 8i64 2i64 }
entry ordered [n] (xs: [n]i64): (i64, [2]i64, i64, i64) =
  let sum = reduce (\a b -> trace_as "sum" (a + b)) 0 xs
  let kept = filter (\x -> trace_as "kept" (x < 3)) xs :> [2]i64
  let doubled = loop x = 1 for _ < 3 do trace_as "step" (x * 2)
  let _ = map (\r -> trace r) [[n, 4], [5, n]]
  let nothing = if n > 9 then trace n else trace_as "small" 2
  in (sum, kept, doubled, nothing)

type step = #zero | #more ([2]i64) i64

-- An array of tuples with rows, sums in an array, an empty array of rows.
-- ==
-- entry: nested
-- input { 2i64 } output { 5i64 }
entry nested (n: i64): i64 =
  let rows = trace_as "rows" (map (\i -> (i, [f32.i64 i, 0.5], {b = i > 0, a = u8.i64 i})) (iota n))
  let sums: []step = trace (map (\i -> if i == 0 then #zero else #more [i, i * 2] (-i)) (iota n))
  let none = trace (filter (> 9) (iota n) |> map (\i -> [i, i]))
  let lengths = map (\s -> match s case #zero -> 1 case #more a b -> length a + b + 1) sums
  let names = trace_as "a\tname\n" (trace_as "" "ab")
  in i64.sum lengths + length rows + length none + length names - 2
