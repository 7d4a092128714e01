-- $ arrc build FILE --emit=concrete
-- Where updates write in place: `unique` stands before a loop, not in it, and what is made here needs none.
entry fill (n: i64): [n]i64 = loop a = replicate n 0 for i < n do a with [i] = i

entry of_input [n] (xs: [n]i64): [n]i64 =
  loop a = xs for i < n - 1 do if a[i] > a[i + 1] then a with [i + 1] = a[i] else a

entry kept [n] (xs: [n]i64): ([n]i64, [n]i64) =
  let ys = map (+ 1) xs
  in (ys, ys with [0] = 7)

-- A recursive function that owns its parameter: no copy, and the caller hands over what ends with the call.
def recurse [n] (xs: *[n]i64) (i: i64): *[n]i64 =
  if i >= n then xs else recurse (xs with [i] = i) (i + 1)

entry recursive (n: i64): [n]i64 = recurse (replicate n 0) 0

-- Slices, and parts of records: the other components are not touched.
entry slices (n: i64): [n]i64 =
  (loop r = {a = replicate n 0, b = 0} for i < n do r with a[i:i + 1] = [i] with b = i).a

entry parts [n] (xs: [n]i64): ([n]i64, [n]f64) =
  let ps = map (\x -> {x, y = 1.5}) xs
  let ps[1].y = 9
  in (map (.x) ps, map (.y) ps)
