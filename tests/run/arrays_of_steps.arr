-- Arrays that steps make, whose lengths depend on elements, are in buffers that all steps use: appended arrays, parts of flatmaps, and arrays
-- that a loop exchanges. A buffer grows where a step needs a longer one than all before.

-- ==
-- entry: appended
-- input { [5i64, 0i64, 3i64, 17i64, 1i64, 8i64, 64i64, 2i64] } auto output
-- input { [0i64, 0i64] } auto output
-- input { empty([0]i64) } auto output
-- random input { [1000]i64 } auto output
-- structure { allocated 3 }
entry appended [n] (xs: [n]i64): [n]i64 =
  map (\x ->
    let k = x & 63
    let ys = scan (+) 0 (iota k) ++ map (* 3) (iota (k / 2))
    in if length ys > 0 then ys[length ys / 2] + ys[length ys - 1] else x) xs

-- Appends of appends. The first part of one append is a filter, which counts its elements.
-- ==
-- entry: appended_twice
-- input { [5i64, 0i64, 3i64, 17i64, 1i64, 8i64, 64i64, 2i64] [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64] } auto output
-- input { [5i64, 0i64] empty([0]i64) } auto output
-- input { empty([0]i64) [1i64] } auto output
-- random input { [300]i64 [41]i64 } auto output
entry appended_twice [n] [m] (xs: [n]i64) (zs: [m]i64): ([n]i64, [n]i64) =
  unzip (map (\x ->
    let kept = filter (\z -> z % 3 != x % 3) zs ++ iota (x & 7)
    let all = reverse kept ++ zs ++ filter (> x) zs
    in (length all, if length all > 0 then all[x % length all] + all[length all / 2] else x)) xs)

-- ==
-- entry: expanded
-- input { [5i64, 0i64, 3i64, 17i64, 1i64, 8i64, 64i64, 2i64] } auto output
-- input { [0i64, 0i64] } auto output
-- input { empty([0]i64) } auto output
-- random input { [500]i64 } auto output
-- structure { allocated 2 }
entry expanded [n] (xs: [n]i64): [n]i64 =
  map (\x ->
    let ys = flatmap (\y -> iota (y & 7)) (iota (x & 31))
    in if length ys > 0 then ys[x % length ys] + 100 * length ys else x) xs

-- Rows of two dimensions grow as well.
-- ==
-- entry: expanded_rows
-- input { [5i64, 0i64, 3i64, 17i64, 1i64, 8i64, 64i64, 2i64] [1i64, 2i64, 3i64] } auto output
-- input { [5i64, 9i64] empty([0]i64) } auto output
-- random input { [100]i64 [5]i64 } auto output
entry expanded_rows [n] [m] (xs: [n]i64) (zs: [m]i64): [n]i64 =
  map (\x ->
    let rows = flatmap (\y -> map (\z -> map (+ z) zs) (iota (y & 3))) (iota (x & 15))
    in if length rows > 0 then i64.sum rows[x % length rows] + length rows else x) xs

-- Two arrays that the turns of a loop exchange.
-- ==
-- entry: exchanged
-- input { [5i64, 0i64, 3i64, 17i64, 1i64, 8i64, 64i64, 2i64] } auto output
-- input { [0i64] } auto output
-- input { empty([0]i64) } auto output
-- random input { [500]i64 } auto output
-- structure { allocated 3 }
entry exchanged [n] (xs: [n]i64): [n]i64 =
  map (\x ->
    let size = 1 + (x & 15)
    let (a, b) = (iota size, replicate size x)
    let (a, b) = loop (a, b) = (a, b) for k < x & 7 do
      if k % 3 == 1 then (a, b) else (b with [0] = a[k % length a], a)
    in a[length a - 1] - b[0]) xs

-- A sort of a length that the step knows: by insertion if it is short, else by digits, in two buffers.
-- ==
-- entry: middles
-- input { [5i64, 0i64, 3i64, 17i64, 100i64, 8i64, 64i64, 90i64] } auto output
-- input { [0i64] } auto output
-- input { empty([0]i64) } auto output
entry middles [n] (xs: [n]i64): [n]i64 =
  map (\x -> let v = sort (<=) (tabulate (1 + (x & 127)) (\i -> (i * x) % 17)) in v[length v / 2])
    xs

-- The slices of the pass use the same buffer.
-- ==
-- entry: many
-- input { 400i64 }
-- allocates 1
entry many (n: i64): i64 =
  i64.sum
    (map
       (\x ->
         let v = scan (+) 0 (tabulate (1 + (x & 1)) (\i -> (i * x) % 17))
         in v[v[length v / 2] % length v]) (iota n))

-- Operators of a `reduce` that make arrays: threads also join their results with them.
-- ==
-- entry: greatest_sorted
-- input { [3i64, 5i64, 1i64] } auto output
-- input { empty([0]i64) } auto output
-- random input { [17000]i64 } auto output
entry greatest_sorted [n] (xs: [n]i64): i64 =
  reduce (\a b ->
    let t = tabulate (2 + (a & 3)) (\j -> if j == 0 then a else b)
    let u = sort (<=) t
    in u[length u - 1]) i64.lowest xs

-- ==
-- entry: greatest_checked
-- input { [3i64, 5i64, 1i64] } auto output
-- random input { [17000]i64 } auto output
entry greatest_checked [n] (xs: [n]i64): i64 =
  reduce
    (\a b ->
      let t = tabulate (2 + (a & 3)) (\j -> if j == 0 then a else b) in t[if a > b then 0 else 1])
    i64.lowest xs

-- ==
-- entry: greatest_appended
-- input { [3i64, 5i64, 1i64] } auto output
-- random input { [17000]i64 } auto output
entry greatest_appended [n] (xs: [n]i64): i64 =
  reduce (\a b ->
    let t = loop (v: []i64) = [a, b] for i < a & 3 do v ++ [b + i]
    let u = t ++ iota (b & 31)
    in u[if a > b then 0 else 1]) i64.lowest xs
