-- A call that fails leaves nothing behind: the next one is as good as the first.

-- ==
-- entry: checked
-- input { [1i64, 2i64] 0i64 1i64 3i64 } error: (program|run_time_errors)\.arr:11:\d+: division by zero
-- input { [1i64, 2i64] 2i64 5i64 3i64 } error: (program|run_time_errors)\.arr:12:\d+: index 5 is out of bounds for an array of length 2
-- input { [1i64, 2i64] 2i64 1i64 -3i64 } error: (program|run_time_errors)\.arr:13:\d+: negative size -3( in iota)?$
-- input { [4i64, 2i64] 2i64 1i64 3i64 } output { [2i64, 1i64] 2i64 [0i64, 1i64, 2i64] }
entry checked [n] (xs: [n]i64) (d: i64) (i: i64) (size: i64): ([n]i64, i64, [size]i64) =
  (map (\x ->
     x / d) xs,
   xs[i],
   iota size)

def deep (n: i64): i64 = if n == 0 then 0 else 1 + deep (n - 1) * 2 % 1000003

-- ==
-- entry: recursion
-- input { 1000i64 } output { 510645i64 }
entry recursion (n: i64): i64 = deep n

-- In the second of two branches, in a recursive call, after arrays have been made.
def walk [n] (xs: [n]i64) (i: i64): i64 =
  let ys = map (+ i) xs
  in if i > 3 then ys[i] else walk ys (i + 1)

-- ==
-- entry: walked
-- input { [0i64, 0i64, 0i64] } error: index 4 is out of bounds for an array of length 3
-- input { [0i64, 0i64, 0i64, 0i64, 5i64] } output { 15i64 }
entry walked [n] (xs: [n]i64): i64 = walk xs 0
