-- With-loops: index spaces, their generators, and what is made of them.

-- ==
-- entry: box
-- input { } output { [[0i64, 0i64, 0i64, 0i64, 0i64], [0i64, 2i64, 3i64, 4i64, 0i64], [0i64, 3i64, 4i64, 5i64, 0i64]] 21i64 }
entry box: ([3][5]i64, i64) =
  (with { ([1, 1] <= iv < [3, 4]) : iv[0] + iv[1] } : genarray ([3, 5], 0),
   with { ([1, 1] <= iv < [3, 4]) : iv[0] + iv[1] } : fold (+, 0))

-- ==
-- entry: grid
-- input { } output { [[7i64, 7i64, 7i64, 7i64, 7i64, 7i64, 7i64, 7i64, 0i64, 0i64], [0i64, 2i64, 3i64, 0i64, 5i64, 6i64, 0i64, 8i64, 0i64, 0i64], [0i64, 3i64, 4i64, 0i64, 6i64, 7i64, 0i64, 9i64, 0i64, 0i64]] }
entry grid: [3][10]i64 =
  with { ([1, 1] <= [i, j] < [3, 8] step [1, 3] width [1, 2]) : i + j;
         ([0, 0] <= [i, j] < [1, 8]) : 7 }
    : genarray ([3, 10], 0)

-- ==
-- entry: smooth
-- input { empty([0]f64) } output { empty([0]f64) }
-- input { [7.0f64] } output { [7.0f64] }
-- input { [1.0f64, 2.0f64, 9.0f64, 4.0f64] } output { [1.0f64, 4.0f64, 5.0f64, 4.0f64] }
entry smooth [n] (a: [n]f64): [n]f64 =
  with { ([1] <= [i] < [n - 1]) : (a[i - 1] + a[i] + a[i + 1]) / 3 } : modarray a

-- | The same by the edges, and by conditions.
-- ==
-- entry: inner
-- input { [[1.0f64, 2.0f64, 3.0f64], [3.0f64, 4.0f64, 5.0f64], [6.0f64, 7.0f64, 8.0f64]] } output { [[1.0f64, 2.0f64, 3.0f64], [3.0f64, 4.25f64, 5.0f64], [6.0f64, 7.0f64, 8.0f64]] true }
-- input { [[1.0f64, 2.0f64], [3.0f64, 4.0f64]] } output { [[1.0f64, 2.0f64], [3.0f64, 4.0f64]] true }
-- input { empty([0][3]f64) } output { empty([0][3]f64) true }
entry inner [n] [m] (a: [n][m]f64): ([n][m]f64, bool) =
  let b =
    with { (. < iv < .) : (a[iv + [1, 0]] + a[iv - [1, 0]] + a[iv + [0, 1]] + a[iv - [0, 1]]) / 4 }
      : modarray a
  let is_inner i j = 0 < i && i < n - 1 && 0 < j && j < m - 1
  let c = tabulate_2d n m (\i j ->
    if is_inner i j then (a[i + 1, j] + a[i - 1, j] + a[i, j + 1] + a[i, j - 1]) / 4 else a[i, j])
  in (b, and (map2 (==) (flatten b) (flatten c)))

-- ==
-- entry: several
-- input { [1i64, 2i64, 3i64] } output { [2i64, 4i64, 6i64] 12i64 [true, false, true] }
-- input { empty([0]i64) } output { empty([0]i64) 0i64 empty([0]bool) }
entry several [n] (a: [n]i64): ([n]i64, i64, [n]bool) =
  with { (0 <= iv < shape a) : (a[iv] * 2, a[iv] * 2, a[iv] % 2 == 1) }
    : (genarray (shape a, 0), fold (+, 0), genarray ([n], false))

-- | Elements that are rows, records, and a fold of rows.
-- ==
-- entry: elements
-- input { [1i64, 2i64] } output { [[1i64, 0i64, 5i64], [2i64, 1i64, 5i64]] [3i64, 1i64] [false, true] [1i64, 2i64] }
entry elements [n] (a: [n]i64): ([n][3]i64, [2]i64, [n]bool, [n]i64) =
  let rows = with { (. <= [i] <= .) : [a[i], i, 5] } : genarray ([n], [0, 0, 0])
  let sums = with { ([0] <= [i] < [n]) : [a[i], i] } : fold (map2 (+), [0, 0])
  let records =
    with { ([1] <= [i] < [n]) : {x = a[i], y = true} } : genarray ([n], {x = 1, y = false})
  in (rows, sums, map (.y) records, map (.x) records)

-- | An order of its own shows that folds go on in row-major order.
-- ==
-- entry: order
-- input { 2i64 3i64 } output { 123456i64 135i64 }
-- input { 0i64 3i64 } output { 0i64 0i64 }
entry order (n: i64) (m: i64): (i64, i64) =
  let join x y = if y == (0, 0) then x else if x == (0, 0) then y else (x.0 * y.1 + y.0, x.1 * y.1)
  let all = with { ([0, 0] <= [i, j] < [n, m]) : (i * m + j + 1, 10) } : fold (join, (0, 0))
  let odd = with { ([0] <= [k] < [n * m] step [2]) : (k + 1, 10) } : fold (join, (0, 0))
  in (all.0, odd.0)

-- | Generators in an order of their own: each index has one.
-- ==
-- entry: quarters
-- input { 4i64 2i64 } output { [[1i64, 1i64, 2i64, 2i64], [1i64, 1i64, 2i64, 2i64], [3i64, 3i64, 4i64, 4i64], [3i64, 3i64, 4i64, 4i64]] 40i64 }
-- input { 2i64 0i64 } output { [[4i64, 4i64], [4i64, 4i64]] 16i64 }
-- input { 2i64 3i64 } error: the generator from \[0, 0\] to below \[3, 3\] leaves an array of shape \[2, 2\]
entry quarters (n: i64) (k: i64): ([n][n]i64, i64) =
  let q =
    with { ([k, k] <= [i, j] < [n, n]) : 4;
           ([0, 0] <= [i, j] < [k, k]) : 1;
           ([0, k] <= [i, j] < [k, n]) : 2;
           ([k, 0] <= [i, j] < [n, k]) : 3 }
      : genarray ([n, n])
  let s =
    with { ([k, k] <= iv < [n, n]) : q[iv];
           ([0, 0] <= iv < [k, k]) : q[iv];
           ([0, k] <= iv < [k, n]) : q[iv];
           ([k, 0] <= iv < [n, k]) : q[iv] }
      : fold (+, 0)
  in (q, s)

-- ==
-- entry: checked
-- input { 4i64 0i64 2i64 2i64 4i64 1i64 } output { [1i64, 1i64, 2i64, 2i64] }
-- input { 4i64 0i64 3i64 2i64 4i64 1i64 } error: this generator has indices of generator 1
-- input { 4i64 0i64 1i64 2i64 4i64 1i64 } error: the generators give 3 of 4 elements, and there is no default
-- input { 4i64 -1i64 2i64 2i64 4i64 1i64 } error: the generator from \[-1\] to below \[2\] leaves an array of shape \[4\]
-- input { 4i64 0i64 2i64 2i64 5i64 1i64 } error: the generator from \[2\] to below \[5\] leaves an array of shape \[4\]
-- input { 4i64 0i64 2i64 2i64 4i64 0i64 } error: the step 0 of a generator is not positive
-- input { 2i64 9i64 3i64 0i64 2i64 1i64 } output { [2i64, 2i64] }
-- input { -1i64 0i64 0i64 0i64 0i64 1i64 } error: negative size -1
entry checked (n: i64) (a: i64) (b: i64) (c: i64) (d: i64) (s: i64): [n]i64 =
  with { ([a] <= [i] < [b]) : 1; ([c] <= [i] < [d] step [s]) : 2 } : genarray ([n])

-- | Red and black: two grids of one step fill the array between them.
-- ==
-- entry: colours
-- input { 5i64 } output { [1i64, 2i64, 1i64, 2i64, 1i64] }
-- input { 0i64 } output { empty([0]i64) }
entry colours (n: i64): [n]i64 =
  with { ([0] <= [i] < [n] step 2) : 1; ([1] <= [i] < [n] step 2) : 2 } : genarray ([n])

-- | Grids of different steps may meet.
-- ==
-- entry: meet
-- input { 5i64 2i64 3i64 } output { [1i64, 0i64, 1i64, 2i64, 1i64] }
-- input { 9i64 2i64 6i64 } error: this generator has indices of generator 1
-- input { 9i64 2i64 9i64 } output { [1i64, 0i64, 1i64, 0i64, 1i64, 0i64, 1i64, 0i64, 1i64] }
entry meet (n: i64) (s: i64) (first: i64): [n]i64 =
  with { ([0] <= [i] < [n] step s) : 1; ([first] <= [i] < [n] step 3) : 2 }
    : genarray ([n], 0)

-- | Vectors: arithmetic, shapes, rows, and a whole array in an element.
-- ==
-- entry: vectors
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]] } output { 6i64 [4i64, 5i64, 6i64] 2i64 [4i64, 7i64] 5i64 }
entry vectors [n] [m] (a: [n][m]i64): (i64, [m]i64, i64, [2]i64, i64) =
  let last = shape a - 1
  let half = shape a / 2
  in (a[last], a[[1]], dim a, 2 * shape a - [0, -1] * half, a[half])

-- ==
-- entry: nested
-- input { [[1i64, 2i64], [3i64, 4i64]] } output { [[[1i64, 2i64], [3i64, 4i64]], [[2i64, 4i64], [6i64, 8i64]]] [3i64, 7i64] }
entry nested [n] [m] (a: [n][m]i64): ([2][n][m]i64, [n]i64) =
  let b =
    with { (. <= [k] <= .) : with { (. <= iv <= .) : a[iv] * (k + 1) } : genarray (shape a) }
      : genarray ([2])
  let s =
    with { (. <= [i] <= .) : with { ([0] <= [j] < [m]) : a[i, j] } : fold (+, 0) } : genarray ([n])
  in (b, s)

-- | Words of with-loops are names elsewhere, also in a with-loop.
-- ==
-- entry: words
-- input { 2i64 } output { [0i64, 2i64, 0i64, 2i64, 0i64] }
entry words (step: i64): [5]i64 =
  let (width, genarray, fold) = (1, 1, 2)
  in with { ([genarray] <= [modarray] < [5] step step width width) : fold + 0 * modarray }
       : genarray ([5], 0)

-- | Edges: generators of one index in a dimension are written in place, after all of them are computed.
-- ==
-- entry: swapped
-- structure { allocated 3 }
-- input { [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] } output { [[5i64, 6i64], [3i64, 4i64], [1i64, 2i64]] }
-- input { [[1i64], [2i64]] } output { [[2i64], [1i64]] }
-- input { [[1i64, 2i64]] } error: this generator has indices of generator 1
-- input { empty([3][0]i64) } output { empty([3][0]i64) }
-- input { empty([0][0]i64) } output { empty([0][0]i64) }
-- input { empty([0][2]i64) } error: the generator from \[0, 0\] to below \[1, 2\] leaves an array of shape \[0, 2\]
entry swapped [h] [w] (a: [h][w]i64): [h][w]i64 =
  with { ([0, 0] <= [i, j] < [1, w]) : a[h - 1, j];
         ([h - 1, 0] <= [i, j] < [h, w]) : a[0, j] }
    : modarray a

-- ==
-- entry: framed
-- structure { allocated 1 }
-- input { 4i64 3i64 } output { [[9i64, 0i64, 9i64], [9i64, 1i64, 9i64], [9i64, 2i64, 9i64], [9i64, 3i64, 9i64]] }
-- input { 1i64 1i64 } error: this generator has indices of generator 1
-- input { 0i64 0i64 } output { empty([0][0]i64) }
entry framed (h: i64) (w: i64): [h][w]i64 =
  let a = tabulate_2d h w (\i _ -> i)
  let b = with { ([0, 0] <= iv < [h, 1]) : 9; ([0, w - 1] <= iv < [h, w]) : 9 } : modarray a
  in b

-- | Elements of several kinds: single ones, rows, pairs, of a vector.
-- ==
-- entry: points
-- input { [1i64, 2i64, 3i64] 1i64 } output { [2i64, 7i64, 5i64] [[0i64, 1i64], [2i64, 2i64]] [3i64, 4i64] [1.5, 2.0] }
-- input { [1i64, 2i64, 3i64] 3i64 } error: the generator from \[3\] to below \[4\] leaves an array of shape \[3\]
entry points [n] (a: [n]i64) (k: i64): ([n]i64, [2][2]i64, [2]i64, [2]f64) =
  let b =
    with { ([0] <= [i] < [1]) : a[1]; ([n - 1] <= [i] < [n]) : a[0] + a[k + 1 - k * 1 + 0] + 2 }
      : modarray a
  let c = with { ([k] <= [i] < [k + 1]) : 7 } : modarray b
  let rows = with { ([1] <= [i] < [2]) : [i + 1, i + 1] } : modarray [[0, 1], [0, 1]]
  let pairs = with { ([0] <= [i] < [1]) : (3, 1.5) } : modarray [(0, 0.0), (4, 2.0)]
  in (c, rows, map (\(x, _) -> x) pairs, map (\(_, x) -> x) pairs)

-- | Steps over ghost cells: the edges are written in place in each step.
-- ==
-- entry: ghosts
-- structure { allocated 7 }
-- input { 2i64 [[0.0, 0.0, 0.0, 0.0], [0.0, 8.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]] }
-- output { [[6.0, 6.0, 2.0, 2.0], [6.0, 5.0, 3.0, 2.0], [6.0, 6.0, 2.0, 2.0]] }
entry ghosts [h] [w] (n: i64) (a: *[h][w]f64): *[h][w]f64 =
  loop a for _ < n do
    let b =
      with { ([0, 0] <= [i, j] < [1, w]) : a[1, j]; ([h - 1, 0] <= [i, j] < [h, w]) : a[h - 2, j] }
        : modarray a
    let c =
      with { ([0, 0] <= [i, j] < [h, 1]) : b[i, 1]; ([0, w - 1] <= [i, j] < [h, w]) : b[i, w - 2] }
        : modarray b
    in with { ([1, 1] <= [i, j] < [h - 1, w - 1]) :
                0.25 * (c[i - 1, j] + c[i + 1, j] + c[i, j - 1] + c[i, j + 1]) }
         : modarray c

-- | A shape that is computed is a size of the array, which has no name outside of the with-loop.
-- ==
-- entry: halved
-- input { [1i64, 2i64, 3i64, 4i64, 5i64] } output { [2i64, 3i64] }
entry halved [n] (a: [n]i64): []i64 =
  let first = with { (. <= [i] <= .) : a[i] } : genarray ([n / 2])
  in map (+ 1) first

-- | Grids: rows and columns by turns, boxes that begin and end anywhere, and lengths that are no multiples of the step.
-- ==
-- entry: grids
-- structure { allocated 3 }
-- input { [[1i64, 2i64, 3i64, 4i64, 5i64], [6i64, 7i64, 8i64, 9i64, 10i64], [11i64, 12i64, 13i64, 14i64, 15i64]] 1i64 }
-- output { [[1i64, 2i64, 3i64, 4i64, 5i64], [6i64, 7i64, 8i64, 11i64, 10i64], [11i64, 12i64, 17i64, 14i64, 23i64]]
--   [[0i64, 0i64, 0i64, 0i64, 0i64], [0i64, 7i64, 8i64, 0i64, 10i64], [0i64, 12i64, 13i64, 0i64, 15i64]]
--   [-1i64, 1i64, 0i64, 0i64, 0i64, 5i64, -1i64] }
-- input { [[1i64]] 0i64 } output { [[1i64]] [[0i64]] [0i64, -1i64, -1i64, -1i64, -1i64, -1i64, -1i64] }
-- input { empty([0][3]i64) 5i64 } output { empty([0][3]i64) empty([0][3]i64) [-1i64, -1i64, -1i64, -1i64, -1i64, -1i64, -1i64] }
entry grids [n] [m] (a: [n][m]i64) (k: i64): ([n][m]i64, [n][m]i64, [7]i64) =
  let b =
    with { ([1, 1] <= [i, j] < [n, m] step [2, 2]) : a[i, j] + a[i - 1, j - 1] - i;
           ([2, 2] <= [i, j] < [n, m] step [2, 2]) :
             a[i, j] + 2 * a[0, j] + j - a[i - 1, j - 1] + 3 }
      : modarray a
  let c =
    with { ([1, 1] <= [i, j] < [n, m] step [1, 3] width [1, 2]) : a[i, j] } : genarray ([n, m], 0)
  let up = if k < 7 then i64.max k (i64.min (n * m) 6) else 7
  let d =
    with { ([k] <= [i] < [up] step 4) : i;
           ([k + 1] <= [i] < [up] step 4 width 3) : 0 }
      : genarray ([7], -1)
  in (b, c, d)

-- | Boxes of unknown order: each is a range of the loops, whichever comes first.
-- ==
-- entry: two_boxes
-- input { [1i64, 2i64, 3i64, 4i64, 5i64, 6i64] 1i64 3i64 4i64 6i64 } output { [0i64, 4i64, 6i64, 0i64, 6i64, 7i64] [1i64, 4i64, 6i64, 4i64, 5i64, 6i64] [1i64, 1i64, 1i64, 1i64, 6i64, 7i64] }
-- input { [1i64, 2i64, 3i64, 4i64, 5i64, 6i64] 4i64 6i64 1i64 3i64 } output { [0i64, 3i64, 4i64, 0i64, 10i64, 12i64] [1i64, 2i64, 3i64, 4i64, 10i64, 12i64] [1i64, 3i64, 4i64, 1i64, 1i64, 1i64] }
-- input { [1i64, 2i64, 3i64] 0i64 2i64 2i64 2i64 } output { [2i64, 4i64, 0i64] [2i64, 4i64, 3i64] [1i64, 1i64, 1i64] }
-- input { [1i64, 2i64, 3i64] 2i64 0i64 9i64 7i64 } output { [0i64, 0i64, 0i64] [1i64, 2i64, 3i64] [1i64, 1i64, 1i64] }
-- input { [1i64, 2i64, 3i64] 1i64 3i64 2i64 3i64 } error: this generator has indices of generator 1
-- input { empty([0]i64) 0i64 0i64 0i64 0i64 } output { empty([0]i64) empty([0]i64) empty([0]i64) }
entry two_boxes [n] (a: [n]i64) (p: i64) (q: i64) (u: i64) (v: i64): ([n]i64, [n]i64, [n]i64) =
  (with { ([p] <= [i] < [q]) : a[i] * 2; ([u] <= [i] < [v]) : a[i] + 1 } : genarray ([n], 0),
   with { ([p] <= [i] < [q]) : a[i] * 2 } : modarray a,
   with { ([u] <= [i] < [v]) : a[i] + 1 } : genarray ([n], 1))

-- | Generators of two with-loops, intersected: rows and columns of both boxes, of one and of none.
-- ==
-- entry: intersected
-- input { 0i64 1i64 3i64 2i64 0i64 4i64 } output { [[1i64, 3i64, 3i64, 1i64], [1i64, 4i64, 4i64, 1i64], [2i64, 7i64, 7i64, 2i64], [2i64, 2i64, 2i64, 2i64], [0i64, 0i64, 0i64, 0i64]] }
-- input { 2i64 0i64 4i64 0i64 1i64 3i64 } output { [[0i64, 4i64, 1i64, 1i64], [0i64, 4i64, 1i64, 1i64], [2i64, 6i64, 3i64, 1i64], [3i64, 7i64, 4i64, 1i64], [0i64, 0i64, 0i64, 0i64]] }
entry intersected (p: i64) (q: i64) (r: i64) (u: i64) (v: i64) (w: i64): [5][4]i64 =
  let a =
    with { ([0, 0] <= iv < [u, w]) : 1; ([u, v] <= iv < [4, 4]) : if u == 0 then 1 else 2 }
      : genarray ([5, 4], 0)
  let b = with { ([p, q] <= iv < [r, 3]) : iv[0] } : genarray ([5, 4], 0)
  let c =
    with { ([0, 1] <= iv < [r, i64.min 4 (q + 2)]) : if iv[0] < u then 2 else 3 }
      : genarray ([5, 4], 0)
  in with { (. <= iv <= .) : a[iv] + c[iv] + b[iv] } : genarray ([5, 4])

-- | A box of an array that ends there is written in its place, at any rank: no other element is read or written.
-- ==
-- entry: grown
-- structure { allocated 2 }
-- input { 3i64 1i64 2i64 2i64 } output { [1i64, 8i64, 3i64] [[1i64, 1i64, 1i64], [1i64, 4i64, 1i64], [1i64, 1i64, 1i64]] }
-- input { 2i64 0i64 2i64 3i64 } output { [8i64, 16i64] [[8i64, 8i64], [8i64, 8i64]] }
-- input { 2i64 2i64 0i64 3i64 } output { [1i64, 2i64] [[1i64, 1i64], [1i64, 1i64]] }
-- input { 0i64 0i64 0i64 3i64 } output { empty([0]i64) empty([0][0]i64) }
-- input { 2i64 1i64 3i64 1i64 } error: the generator from \[1\] to below \[3\] leaves an array of shape \[2\]
entry grown (n: i64) (p: i64) (q: i64) (k: i64): ([n]i64, [n][n]i64) =
  let a = loop a = tabulate n (+ 1) for _ < k do
    with { ([p] <= [i] < [q]) : a[i] * 2 } : modarray a
  let b = loop b = tabulate_2d n n (\_ _ -> 1) for _ < k do
    with { ([p, p] <= [i, j] < [q, q]) : b[i, j] * 2 } : modarray b
  in (a, b)

-- ==
-- entry: carved
-- structure { allocated 1 }
-- input { 2i64 3i64 4i64 1i64 2i64 } output { [[[0i64, 1i64, 2i64, 3i64], [10i64, 11i64, 12i64, 13i64], [20i64, 21i64, 22i64, 23i64]], [[100i64, 101i64, 102i64, 103i64], [110i64, 222i64, 112i64, 113i64], [120i64, 121i64, 122i64, 123i64]]] }
-- input { 2i64 1i64 1i64 0i64 1i64 } output { [[[0i64]], [[100i64]]] }
-- input { 1i64 1i64 -1i64 0i64 1i64 } error: negative size -1
entry carved (h: i64) (w: i64) (d: i64) (p: i64) (q: i64): [h][w][d]i64 =
  let a = tabulate h (\i -> tabulate_2d w d (\j k -> 100 * i + 10 * j + k))
  let s = a[h - 1, w - 1, d - 1]
  in with { ([p, p, p] <= [i, j, k] < [q, q, q]) : a[i, j, k] * 2 + s - s } : modarray a

-- | Other elements are read, so the array is made anew.
-- ==
-- entry: mirrored
-- structure { allocated 3 }
-- input { 4i64 1i64 4i64 1i64 } output { [0i64, 2i64, 1i64, 0i64] }
-- input { 4i64 1i64 4i64 2i64 } output { [0i64, 1i64, 2i64, 0i64] }
entry mirrored (n: i64) (p: i64) (q: i64) (k: i64): [n]i64 =
  loop a = iota n for _ < k do
    with { ([p] <= [i] < [q]) : a[n - 1 - i] } : modarray a

-- | Components of an index without a name.
-- ==
-- entry: unnamed
-- input { [[5i64, 6i64, 7i64], [8i64, 9i64, 10i64]] } output { [[0i64, 1i64, 2i64], [0i64, 1i64, 2i64]] [[0i64, 0i64, 0i64], [1i64, 1i64, 1i64]] 6i64 }
-- input { empty([0][3]i64) } output { empty([0][3]i64) empty([0][3]i64) 0i64 }
entry unnamed [n] [m] (a: [n][m]i64): ([n][m]i64, [n][m]i64, i64) =
  (with { (. <= [_, j] <= .) : j } : modarray a,
   with { (. <= [i, _] <= .) : i } : genarray (shape a),
   with { ([0, 0] <= [_, _] < shape a) : 1 } : fold (+, 0))

-- | Index vectors: negated, and carried by loops. A shape behind a pipe.
-- ==
-- entry: directions
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]] } output { [-2i64, -3i64] 6i64 [2i64, 2i64] [3i64, 3i64] [1i64, 2i64] 2i64 }
entry directions [n] [m] (a: [n][m]i64): ([2]i64, i64, [2]i64, [2]i64, [2]i64, i64) =
  let (total, at) = loop (total, at) = (0, [0, 0]) for _ < i64.min n m do (total + a[at], at + 1)
  let turned = loop at = [1, 2] for _ < 2 * n + 1 do [at[1], -at[0]]
  let back = loop at = -[3, 3] for _ < 3 do -at
  in (-(a |> shape),
      total,
      at,
      back,
      -turned * [-1, 1] |> (\(at: [2]i64) -> [at[1], at[0]]),
      a |> dim)

-- | A last index that is the largest number is outside of every array.
-- ==
-- entry: through
-- input { [1i64, 2i64] 0i64 1i64 } output { [5i64, 5i64] }
-- input { [1i64, 2i64] 0i64 -1i64 } output { [1i64, 2i64] }
-- input { [1i64, 2i64] 9i64 3i64 } output { [1i64, 2i64] }
-- input { [1i64, 2i64] 0i64 2i64 } error: the generator from \[0\] to below \[3\] leaves an array of shape \[2\]
-- input { [1i64, 2i64] 0i64 9223372036854775807i64 } error: the generator from \[0\] to below \[-9223372036854775808\] leaves an array of shape \[2\]
entry through [n] (a: [n]i64) (first: i64) (last: i64): [n]i64 =
  with { ([first] <= [i] <= [last]) : 5 } : modarray a
