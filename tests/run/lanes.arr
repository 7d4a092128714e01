-- Loops in steps: several steps run at once, one a lane. The lengths are no multiples of the lanes.

-- Each step has a trip count of its own, which its data says.
-- ==
-- entry: escape
-- input { [-1.5, -1.25, -1.0, -0.75, -0.5, -0.25, 0.0, -1.5, -1.25, -1.0, -0.75, -0.5, -0.25, 0.0, -1.5, -1.25, -1.0, -0.75, -0.5] [-0.5, -0.25, 0.0, 0.25, 0.5, -0.5, -0.25, 0.0, 0.25, 0.5, -0.5, -0.25, 0.0, 0.25, 0.5, -0.5, -0.25, 0.0, 0.25] }
-- output { [3i32, 9i32, 50i32, 13i32, 50i32, 50i32, 50i32, 50i32, 9i32, 5i32, 6i32, 50i32, 50i32, 50i32, 3i32, 4i32, 50i32, 50i32, 50i32] }
-- input { [0.5] [0.5] } output { [5i32] }
-- input { empty([0]f64) empty([0]f64) } output { empty([0]i32) }
entry escape [n] (as: [n]f64) (bs: [n]f64): [n]i32 =
  map2 (\a b ->
    let (_, _, k) = loop (x, y, k) = (0.0, 0.0, 0) while k < 50 && x * x + y * y < 4.0 do
      (x * x - y * y + a, 2 * x * y + b, k + 1)
    in k) as bs

-- A fold keeps its order in each lane.
-- ==
-- entry: horner
-- input { [-4.0, -3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0] 5i64 }
-- output { [-40.0, -14.0, -2.0, 2.0, 4.0, 10.0, 26.0, 58.0, 112.0, 194.0, 310.0, 466.0, 668.0, 922.0, 1234.0, 1610.0, 2056.0, 2578.0, 3182.0] }
-- input { [-4.0, -3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0] 0i64 }
-- output { [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0] }
-- input { [-4.0, -3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0] -1i64 } error: negative size -1
entry horner [n] (xs: [n]f64) (m: i64): [n]f64 =
  map (\x -> fold (\acc k -> acc * x + f64.i64 k) 0 (iota m)) xs

-- The length of each fold is an element.
-- ==
-- entry: squares
-- input { [0i32, 5i32, 10i32, 4i32, 9i32, 3i32, 8i32, 2i32, 7i32, 1i32, 6i32, 0i32, 5i32, 10i32, 4i32, 9i32, 3i32, 8i32, 2i32] }
-- output { [0i32, 30i32, 285i32, 14i32, 204i32, 5i32, 140i32, 1i32, 91i32, 0i32, 55i32, 0i32, 30i32, 285i32, 14i32, 204i32, 5i32, 140i32, 1i32] }
-- input { [1i32, 2i32, 3i32, 4i32, 5i32, 6i32, 7i32, 8i32, 9i32, -2i32, 3i32] } error: negative size -2
entry squares [n] (ks: [n]i32): [n]i32 =
  map (\k -> fold (\acc j -> acc + j * j) 0 (map i32.i64 (iota (i64.i32 k)))) ks

-- ==
-- entry: digits
-- input { [0i32, 7i32, 10i32, 99i32, 100i32, 12345i32, 1i32, 9i32, 1000i32, 99999i32, 5i32, 50i32, 500i32, 5000i32, 50000i32, 3i32, 33i32, 333i32, 3333i32] }
-- output { [0i32, 1i32, 2i32, 2i32, 3i32, 5i32, 1i32, 1i32, 4i32, 5i32, 1i32, 2i32, 3i32, 4i32, 5i32, 1i32, 2i32, 3i32, 4i32] }
entry digits [n] (xs: [n]i32): [n]i32 =
  map (\x -> let (_, k) = loop (y, k) = (x, 0) while y > 0 do (y / 10, k + 1) in k) xs

-- All lanes read the same element of a table, and some read none; one reads beyond its end.
-- ==
-- entry: look
-- input { [3i32, 1i32, 4i32, 1i32, 5i32, 9i32, 2i32, 6i32] [0i64, 1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 0i64, 1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 0i64] }
-- output { [0i32, 3i32, 7i32, 15i32, 24i32, 38i32, 61i32, 86i32, 117i32, 0i32, 3i32, 7i32, 15i32, 24i32, 38i32, 61i32, 86i32, 117i32, 0i32] }
-- input { [3i32, 1i32, 4i32, 1i32, 5i32, 9i32, 2i32, 6i32] [0i64, 1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 0i64, 1i64, 9i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 0i64] } error: index 8 is out of bounds for an array of length 8
-- input { empty([0]i32) [0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64] }
-- output { [0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32] }
entry look [n] [m] (ts: [m]i32) (ks: [n]i64): [n]i32 =
  map (\k -> loop s = 0 for j < k do s + ts[j] * i32.i64 (k - j)) ks

-- A lane fails in its loop. The values that it continues with would never end the loop, so the vector loop must stop.
-- ==
-- entry: halve
-- input { [9i32, 8i32, 7i32, 6i32, 5i32, 4i32, 3i32, 2i32, 1i32] 1i32 }
-- output { [4i32, 4i32, 3i32, 3i32, 3i32, 3i32, 2i32, 2i32, 1i32] }
-- input { [9i32, 8i32, 7i32, 6i32, 5i32, 4i32, 3i32, 2i32, 1i32] 0i32 } error: division by zero
entry halve [n] (xs: [n]i32) (d: i32): [n]i32 =
  map (\x -> let (_, k) = loop (y, k) = (x, 0) while y > 0 do (y / (2 * d), k + 1) in k) xs

-- A column of a matrix for each step: the elements of a row lie next to each other.
-- ==
-- entry: columns
-- input { [[-4i64, -3i64, -2i64, -1i64, 0i64], [-1i64, 0i64, 1i64, 2i64, 3i64], [2i64, 3i64, 4i64, 5i64, 6i64]] }
-- output { [-408i64, -297i64, -186i64, -75i64, 36i64] }
entry columns [h] [w] (a: [h][w]i64): [w]i64 =
  tabulate w (\j -> fold (\acc i -> acc * 10 + a[i, j]) 0 (iota h))

-- The product of matrices: rows by columns.
-- ==
-- entry: product
-- input { [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] [[1.0, 2.0, 3.0, 4.0, 5.0], [10.0, 20.0, 30.0, 40.0, 50.0]] }
-- output { [[21.0, 42.0, 63.0, 84.0, 105.0], [43.0, 86.0, 129.0, 172.0, 215.0], [65.0, 130.0, 195.0, 260.0, 325.0]] }
-- allocates 1
entry product [h] [k] [w] (a: [h][k]f64) (b: [k][w]f64): [h][w]f64 =
  map (\row -> map (\col -> f64.sum (map2 (*) row col)) (transpose b)) a

-- Loops whose values are folded, filtered, and written over the array that they come from.
-- ==
-- entry: powers
-- input { [1i32, 2i32, 3i32, 4i32, 5i32, 6i32, 7i32, 8i32, 9i32, 10i32, 11i32] 3i64 }
-- output { 4356i32 [27i32, 64i32, 125i32, 216i32, 343i32, 512i32, 729i32, 1000i32, 1331i32] }
entry powers [n] (xs: [n]i32) (m: i64): (i32, []i32) =
  let cubes = map (\x -> loop p = 1 for _ < m do p * x) xs
  in (i32.sum cubes, filter (> 8) cubes)

-- ==
-- entry: over
-- input { [1.0, 4.0, 9.0, 16.0, 25.0, 36.0, 49.0, 64.0, 81.0] }
-- output { [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0] }
entry over [n] (xs: *[n]f64): [n]f64 =
  map (\x -> loop r = x for _ < 20 do 0.5 * (r + x / r)) xs

-- Arrays that a step makes for itself.
-- ==
-- entry: carried
-- input { [-3i32, 4i32, 0i32, 7i32, 3i32, -1i32, 6i32, 2i32, -2i32, 5i32, 1i32, -3i32, 4i32, 0i32, 7i32, 3i32, -1i32, 6i32, 2i32] 5i64 }
-- output { [-67i32, 150i32, 26i32, 243i32, 119i32, -5i32, 212i32, 88i32, -36i32, 181i32, 57i32, -67i32, 150i32, 26i32, 243i32, 119i32, -5i32, 212i32, 88i32] }
-- input { [-3i32, 4i32, 0i32, 7i32, 3i32, -1i32, 6i32, 2i32, -2i32, 5i32, 1i32, -3i32, 4i32, 0i32, 7i32, 3i32, -1i32, 6i32, 2i32] 0i64 } error: index -1 is out of bounds for an array of length 0
-- input { [-3i32, 4i32, 0i32, 7i32, 3i32, -1i32, 6i32, 2i32, -2i32, 5i32] 3000i64 }
-- output { [-2998i32, -3005i32, -3001i32, -3008i32, -3004i32, -3000i32, -3007i32, -3003i32, -2999i32, -3006i32] }
-- input { empty([0]i32) 4i64 } output { empty([0]i32) }
entry carried [n] (xs: [n]i32) (k: i64): [n]i32 =
  map (\x ->
    let sums = loop (sums: [k]i32) = tabulate k (\j -> x + i32.i64 j) for i < k - 1 do
      sums with [i + 1] = sums[i] * 2 + sums[i + 1]
    in sums[k - 1]) xs

-- ==
-- entry: backwards
-- input { [-3i32, 4i32, 0i32, 7i32, 3i32, -1i32, 6i32, 2i32, -2i32, 5i32, 1i32, -3i32, 4i32, 0i32, 7i32, 3i32, -1i32, 6i32, 2i32] 6i64 }
-- output { [-23392i32, 7310i32, -10234i32, 20468i32, 2924i32, -14620i32, 16082i32, -1462i32, -19006i32, 11696i32, -5848i32, -23392i32, 7310i32, -10234i32, 20468i32, 2924i32, -14620i32, 16082i32, -1462i32] }
-- input { [-3i32, 4i32, 0i32] 6i64 } output { [-23392i32, 7310i32, -10234i32] }
-- allocates 2
entry backwards [n] (xs: [n]i32) (k: i64): [n]i32 =
  map (\x ->
    let path = scan (+) 0 (tabulate k (\j -> x * i32.i64 j - 7))
    in fold (\s j -> s * 3 + path[k - 1 - j] - path[j]) 0 (iota k)) xs

-- Where the array is changed and read differs from lane to lane, and each lane stops when it meets itself.
-- ==
-- entry: visited
-- input { [0i32, 7i32, 3i32, 10i32, 6i32, 2i32, 9i32, 5i32, 1i32, 8i32, 4i32, 0i32, 7i32, 3i32, 10i32, 6i32, 2i32, 9i32, 5i32] 10i32 }
-- output { [6i32, 6i32, 7i32, 6i32, 6i32, 6i32, 7i32, 6i32, 6i32, 7i32, 7i32, 6i32, 6i32, 7i32, 6i32, 6i32, 6i32, 7i32, 6i32] }
-- input { [0i32, 7i32, 3i32, 10i32, 6i32, 2i32, 9i32, 5i32, 1i32, 8i32, 4i32, 0i32, 7i32, 3i32, 10i32, 6i32, 2i32, 9i32, 5i32] 0i32 } error: division by zero
entry visited [n] (xs: [n]i32) (k: i32): [n]i32 =
  map (\x ->
    let none = replicate (i64.i32 k) 0
    let (_, _, steps) =
      loop (seen: [k]i32, at, steps) = (none, x % k, 0) while seen[i64.i32 at] == 0 do
        (seen with [i64.i32 at] = 1, (at * at + 1) % k, steps + 1)
    in steps) xs

-- Rows are read and made.
-- ==
-- entry: numbers
-- input { [[-2i32, 1i32, 4i32, 0i32, 3i32, -1i32], [3i32, -1i32, 2i32, -2i32, 1i32, 4i32], [1i32, 4i32, 0i32, 3i32, -1i32, 2i32], [-1i32, 2i32, -2i32, 1i32, 4i32, 0i32], [4i32, 0i32, 3i32, -1i32, 2i32, -2i32], [2i32, -2i32, 1i32, 4i32, 0i32, 3i32], [0i32, 3i32, -1i32, 2i32, -2i32, 1i32], [-2i32, 1i32, 4i32, 0i32, 3i32, -1i32], [3i32, -1i32, 2i32, -2i32, 1i32, 4i32], [1i32, 4i32, 0i32, 3i32, -1i32, 2i32], [-1i32, 2i32, -2i32, 1i32, 4i32, 0i32]] }
-- output { [-185971i32, 291814i32, 140292i32, -81860i32, 402918i32, 181403i32, 29181i32, -185971i32, 291814i32, 140292i32, -81860i32] }
-- input { empty([9][0]i32) } output { [0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32] }
entry numbers [n] [m] (rows: [n][m]i32): [n]i32 = map (\row -> fold (\a x -> a * 10 + x) 0 row) rows

-- ==
-- entry: sums
-- input { [[-2i32, 1i32, 4i32, 0i32, 3i32, -1i32], [3i32, -1i32, 2i32, -2i32, 1i32, 4i32], [1i32, 4i32, 0i32, 3i32, -1i32, 2i32], [-1i32, 2i32, -2i32, 1i32, 4i32, 0i32], [4i32, 0i32, 3i32, -1i32, 2i32, -2i32], [2i32, -2i32, 1i32, 4i32, 0i32, 3i32], [0i32, 3i32, -1i32, 2i32, -2i32, 1i32], [-2i32, 1i32, 4i32, 0i32, 3i32, -1i32], [3i32, -1i32, 2i32, -2i32, 1i32, 4i32], [1i32, 4i32, 0i32, 3i32, -1i32, 2i32], [-1i32, 2i32, -2i32, 1i32, 4i32, 0i32]] }
-- output { [[-2i32, -3i32, -2i32, -4i32, -5i32, -11i32], [3i32, 5i32, 12i32, 22i32, 45i32, 94i32], [1i32, 6i32, 12i32, 27i32, 53i32, 108i32], [-1i32, 0i32, -2i32, -3i32, -2i32, -4i32], [4i32, 8i32, 19i32, 37i32, 76i32, 150i32], [2i32, 2i32, 5i32, 14i32, 28i32, 59i32], [0i32, 3i32, 5i32, 12i32, 22i32, 45i32], [-2i32, -3i32, -2i32, -4i32, -5i32, -11i32], [3i32, 5i32, 12i32, 22i32, 45i32, 94i32], [1i32, 6i32, 12i32, 27i32, 53i32, 108i32], [-1i32, 0i32, -2i32, -3i32, -2i32, -4i32]] }
-- input { [[-2i32, 1i32, 4i32], [3i32, -1i32, 2i32]] } output { [[-2i32, -3i32, -2i32], [3i32, 5i32, 12i32]] }
-- allocates 2
entry sums [n] [m] (rows: [n][m]i32): [n][m]i32 =
  map (\row -> loop (b: [m]i32) = copy row for i < m - 1 do b with [i + 1] = b[i] * 2 + b[i + 1])
    rows
