-- Updates of parts of parts: slices, fields, elements of fields, components of tuples, and all of these in one path.

-- ==
-- entry: slice
-- input { [1i64, 2i64, 3i64, 4i64] [8i64, 9i64] 1i64 3i64 } output { [1i64, 8i64, 9i64, 4i64] [1i64, 2i64, 3i64, 4i64] }
-- input { [1i64, 2i64] empty([0]i64) 1i64 1i64 } output { [1i64, 2i64] [1i64, 2i64] }
-- input { empty([0]i64) empty([0]i64) 0i64 0i64 } output { empty([0]i64) empty([0]i64) }
-- input { [1i64, 2i64, 3i64] [8i64, 9i64] 0i64 3i64 } error: a slice of length 3 cannot be replaced by an array of length 2
-- input { [1i64, 2i64, 3i64] [8i64, 9i64] 2i64 4i64 } error: slice 2:4 is out of bounds for an array of length 3
-- input { [1i64, 2i64, 3i64] [8i64, 9i64] -1i64 1i64 } error: slice -1:1 is out of bounds for an array of length 3
-- input { [1i64, 2i64, 3i64] [8i64, 9i64] 2i64 0i64 } error: slice 2:0 is out of bounds for an array of length 3
entry slice [n] [m] (xs: [n]i64) (ys: [m]i64) (i: i64) (j: i64): ([n]i64, [n]i64) =
  (xs with [i:j] = ys, xs)

-- ==
-- entry: of_the_slice_size
-- input { [1i64, 2i64, 3i64] 7i64 } output { [7i64, 7i64, 3i64] }
def all_of [n] 'a (x: a): [n]a = replicate n x
entry of_the_slice_size [n] (xs: [n]i64) (x: i64): [n]i64 = xs with [:2] = all_of x

-- ==
-- entry: steps
-- input { [1i64, 2i64, 3i64, 4i64, 5i64] } output { [10i64, 2i64, 11i64, 4i64, 12i64] [5i64, 4i64, 3i64, 2i64, 1i64] }
entry steps (xs: [5]i64): ([5]i64, [5]i64) = (xs with [::2] = [10, 11, 12], xs with [::-1] = xs)

-- ==
-- entry: shifted
-- input { [1i64, 2i64, 3i64, 4i64] } output { [1i64, 1i64, 2i64, 3i64] [2i64, 3i64, 4i64, 4i64] }
-- input { [1i64] } output { [1i64] [1i64] }
entry shifted [n] (xs: [n]i64): ([n]i64, [n]i64) =
  let ys = map (+ 0) xs
  in (xs with [1:] = xs[:n - 1], ys with [:n - 1] = ys[1:])

-- ==
-- entry: let_slice
-- input { [1i64, 2i64, 3i64] } output { [7i64, 8i64, 3i64] }
entry let_slice [n] (xs: [n]i64): [n]i64 =
  let xs[0:2] = [7, 8]
  in xs

-- ==
-- entry: of_rows
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]] [7i64, 8i64] } output
--   { [[1i64, 2i64, 3i64], [4i64, 7i64, 8i64]] [[1i64, 7i64, 3i64], [4i64, 8i64, 6i64]] [[4i64, 5i64, 6i64], [4i64, 5i64, 6i64]] }
entry of_rows (xss: [2][3]i64) (ys: [2]i64): ([2][3]i64, [2][3]i64, [2][3]i64) =
  (xss with [1, 1:3] = ys, xss with [:, 1] = ys, xss with [:1] = xss[1:])

-- ==
-- entry: block
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64], [7i64, 8i64, 9i64]] } output
--   { [[1i64, 10i64, 20i64], [4i64, 30i64, 40i64], [7i64, 8i64, 9i64]] }
entry block (xss: [3][3]i64): [3][3]i64 = xss with [0:2, 1:3] = [[10, 20], [30, 40]]

-- An index is checked though the slice beside it is empty.

-- ==
-- entry: beside_nothing
-- input { [[1i64], [2i64]] 1i64 0i64 } output { [[1i64], [2i64]] [[1i64], [2i64]] }
-- input { [[1i64], [2i64]] 2i64 0i64 } error: index 2 is out of bounds for an array of length 2
-- input { [[1i64], [2i64]] 0i64 -1i64 } error: index -1 is out of bounds for an array of length 1
entry beside_nothing [n] [m] (xss: [n][m]i64) (i: i64) (j: i64): ([n][m]i64, [n][m]i64) =
  (xss with [i, 0:0] = [], xss with [0:0, j] = [])

-- ==
-- entry: slice_of_slice
-- input { [1i64, 2i64, 3i64, 4i64, 5i64] 1i64 } output { [1i64, 2i64, 9i64, 4i64, 5i64] [1i64, 8i64, 3i64, 9i64, 5i64] }
-- input { [1i64, 2i64, 3i64, 4i64, 5i64] 3i64 } error: index 3 is out of bounds for an array of length 3
entry slice_of_slice (xs: [5]i64) (i: i64): ([5]i64, [5]i64) =
  (xs with [1:4][i] = 9, xs with [1:4][::2] = [8, 9])

-- ==
-- entry: field_element
-- input { [1i64, 2i64, 3i64] } output { [1i64, 7i64, 3i64] [1i64, 2i64, 3i64] 5i64 }
-- input { [1i64] } error: index 1 is out of bounds for an array of length 1
entry field_element [n] (xs: [n]i64): ([n]i64, [n]i64, i64) =
  let r = {a = xs, b = 5i64}
  let s = r with a[1] = 7
  in (s.a, r.a, s.b)

-- ==
-- entry: field_slice
-- input { [1i64, 2i64, 3i64] } output { [8i64, 9i64, 3i64] [1i64, 2i64, 3i64] }
entry field_slice [n] (xs: [n]i64): ([n]i64, [n]i64) =
  let r = {x = {a = xs}, b = xs}
  let r.x.a[:2] = [8, 9]
  in (r.x.a, r.b)

-- ==
-- entry: element_field
-- input { [1i64, 2i64, 3i64] } output { [1i64, 2i64, 8i64] [1.5f64, 9.0f64, 1.5f64] }
entry element_field [n] (xs: [n]i64): ([n]i64, [n]f64) =
  let ps = map (\x -> {x, y = 1.5}) xs
  let ps[1].y = 9
  in (map (.x) (ps with [2].x = 8), map (.y) ps)

-- ==
-- entry: deep
-- input { [[1i64, 2i64], [3i64, 4i64]] } output { [[1i64, 2i64], [100i64, 4i64]] [[1i64, 2i64], [3i64, 4i64]] [2i64, 6i64] }
entry deep [n] [m] (xss: [n][m]i64): ([n][m]i64, [n][m]i64, [n]i64) =
  let r = {a = 1i64, b = map (\row -> {c = row, d = 2i64}) xss}
  let s = r with b[1].c[0] = 100 with b[1].d = 6
  in (map (.c) s.b, map (.c) r.b, map (.d) s.b)

-- ==
-- entry: components
-- input { 1i64 [1i64, 2i64] } output { 5i64 2i64 [1i64, 7i64] 6i64 }
entry components [n] (x: i64) (xs: [n]i64): (i64, i64, [n]i64, i64) =
  let (a, b) = (x, 2) with 0 = 5
  let t = ((x, xs), 3) with .0.1[1] = 7 with 1 = 6
  in (a, b, t.0.1, t.1)

-- ==
-- entry: of_pairs
-- input { [1i64, 2i64] [true, true] } output { [9i64, 8i64] [false, true] }
entry of_pairs [n] (xs: [n]i64) (bs: [n]bool): ([n]i64, [n]bool) =
  let ps = zip xs bs
  let ps[:1] = [(9, false)]
  let ps[1].0 = 8
  in unzip ps

-- ==
-- entry: many
-- input { 1000i64 } output { 999i64 499500i64 }
entry many (n: i64): (i64, i64) =
  let r = loop r = {a = replicate n 0, b = 0} for i < n do r with a[i:i + 1] = [i] with b = i
  in (r.b, i64.sum r.a)

-- ==
-- entry: owned
-- input { [1i64, 2i64, 3i64] } output { [0i64, 1i64, 2i64] }
def fill [n] (r: {a: *[n]i64, b: i64}) (i: i64): {a: *[n]i64, b: i64} =
  if i == n then r else fill (r with a[i:i + 1] = [i]) (i + 1)
entry owned [n] (xs: [n]i64): [n]i64 = (fill {a = copy xs, b = 0} 0).a

-- The Gaussian elimination of a matrix, as it is written in Futhark.

-- ==
-- entry: lu
-- input { [[2f64, 1f64], [4f64, 5f64]] } output { [[2f64, 1f64], [2f64, 3f64]] }
-- input { [[1f64, 2f64, 4f64], [3f64, 8f64, 14f64], [2f64, 6f64, 13f64]] } output
--   { [[1f64, 2f64, 4f64], [3f64, 2f64, 2f64], [2f64, 1f64, 3f64]] }
entry lu [m] (a: *[m][m]f64): [m][m]f64 =
  loop a for k < m do
    let a[k + 1:, k] = map (/ a[k, k]) a[k + 1:, k]
    let a[k + 1:, k + 1:] =
      map2 (\row l -> map2 (\x u -> x - l * u) row a[k, k + 1:]) a[k + 1:, k + 1:] a[k + 1:, k]
    in a
