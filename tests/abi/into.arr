-- Results in memory of the caller: sizes that the arguments determine, and sizes that they do not.

entry scaled [n] (xs: [n]f64) (k: f64): [n]f64 = map (* k) xs
entry above [n] (xs: [n]f64) (bound: f64): ?[m].[m]f64 = filter (> bound) xs
entry inner [n] (xs: [n]f64): []f64 = tabulate (n - 2) (\i -> (xs[i] + xs[i + 1] + xs[i + 2]) / 3)
entry joined [n] [m] (xs: [n]f64) (ys: [m]f64): [n + m]f64 = xs ++ ys
entry both [n] (xs: [n]f64): ([n]f64, f64, [n]f64) =
  let ys = map (+ 1) xs
  in (ys, f64.sum ys, map (* 2) ys)
entry twice [n] (xs: [n]f64): ([n]f64, [n]f64) = let ys = map (+ 1) xs in (ys, ys)
entry marked [n] (xs: *[n]f64) (k: i64): [n]f64 = loop a = xs for i < k do a with [i] = -1
entry halved [n] (xs: [n]f64) (k: i64): [n]f64 =
  loop a = xs for _ < k do tabulate n (\i -> if i == 0 then a[0] else (a[i - 1] + a[i]) / 2)
entry chosen [n] (c: bool) (xs: [n]f64): [n]f64 = if c then map (+ 1) xs else reverse xs
entry same [n] (xs: [n]f64): [n]f64 = xs
entry sorted [n] (xs: [n]f64): [n]f64 = sort (<=) xs
entry turned [n] [m] (a: [n][m]f64): [m][n]f64 = transpose a
entry checked [n] (xs: [n]f64) (i: i64): [n]f64 = let x = xs[i] in map (+ x) xs
-- The steps of short parts write surplus elements.
entry parts [n] (ks: [n]i64): []i64 = flatmap (\k -> map (+ k) (iota (k & 3))) ks
-- Arguments that end in the call: their memory may become that of the result.
entry counted [n] [m] (counts: *[m]i64) (ks: [n]i64): [m]i64 =
  loop a = counts for k in ks do a with [k] = a[k] + 1
entry swapped [n] (xs: *[n]f64) (i: i64) (j: i64): [n]f64 =
  let (x, y) = (xs[i], xs[j])
  in (xs with [i] = y) with [j] = x
entry row_doubled [n] [m] (a: *[n][m]f64) (b: [n][m]f64): [n][m]f64 =
  let r = map2 (+) a[1] b[0]
  in a with [0] = r
entry read_later [n] (xs: *[n]f64) (i: i64): ([n]f64, f64) =
  let s = f64.sum xs
  let ys = xs with [i] = s
  in (ys, ys[0] + s)
-- Results that are arguments, in the memory for other results.
entry exchanged [n] (xs: [n]f64) (ys: [n]f64): ([n]f64, [n]f64) = (ys, xs)
entry moved [n] (ps: [n](f64, f64)): [n](f64, f64) = map (\(p, v) -> (p + v, v)) ps
-- The memory of an argument has other names, which are read behind the update.
entry named_by_if [n] (c: bool) (xs: [n]f64) (ys: [n]f64): ([n]f64, f64) =
  let b = if c then xs else ys
  let r = xs with [0] = 500
  in (r, f64.sum (map2 (*) r b))
entry named_by_loop [n] (xs: [n]f64) (ys: [n]f64) (k: i64): ([n]f64, f64) =
  let (b, _) = loop (b, d) = (xs, ys) for _ < k do (d, b)
  let r = xs with [0] = 500
  in (r, f64.sum (map2 (*) r b))
#[noinline]
def pick [n] (c: bool) (xs: [n]f64) (ys: [n]f64): [n]f64 = if c then xs else ys
entry named_by_call [n] (c: bool) (xs: [n]f64) (ys: [n]f64): ([n]f64, [n]f64) =
  let b = pick c xs ys
  in (xs with [0] = 500, b)
-- One mean in several spellings, and one update.
entry mean_by_tabulate [n] (xs: [n]f64): []f64 =
  tabulate (n - 2) (\i -> (xs[i] + xs[i + 1] + xs[i + 2]) / 3)
entry mean_by_slices [n] (xs: [n]f64): []f64 =
  map3 (\a b c -> (a + b + c) / 3) xs[0:n - 2] xs[1:n - 1] xs[2:n]
entry mean_by_iota [n] (xs: [n]f64): []f64 =
  map (\i -> (xs[i] + xs[i + 1] + xs[i + 2]) / 3) (iota (n - 2))
entry mean_by_box [n] (xs: [n]f64): []f64 =
  with { (. <= [i] <= .) : (xs[i] + xs[i + 1] + xs[i + 2]) / 3 } : genarray ([n - 2], 0)
entry mean_by_loop [n] (xs: [n]f64): []f64 =
  loop a = replicate (n - 2) 0 for i < n - 2 do a with [i] = (xs[i] + xs[i + 1] + xs[i + 2]) / 3
entry mean_by_tail [n] (xs: [n]f64): []f64 =
  tail (tail (map2 (\i x -> if i < 2 then 0 else (xs[i - 2] + xs[i - 1] + x) / 3) (iota n) xs))
entry set_by_with [n] (xs: *[n]f64) (i: i64): [n]f64 = xs with [i] = -7
entry set_by_let [n] (xs: *[n]f64) (i: i64): [n]f64 = let ys = xs in let ys[i] = -7 in ys
entry set_by_box [n] (xs: *[n]f64) (i: i64): [n]f64 =
  with { ([i] <= [_] <= [i]) : -7.0 } : modarray xs
entry set_by_slice [n] (xs: *[n]f64) (i: i64): [n]f64 = xs with [i:i + 1] = [-7]
entry set_by_loop [n] (xs: *[n]f64) (i: i64): [n]f64 = loop a = xs for k < 1 do a with [i + k] = -7
