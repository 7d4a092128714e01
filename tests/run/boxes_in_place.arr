-- Boxes of arrays that change in place, by steps that read the element that they overwrite. No element may change twice, where the
-- rows of a box are a few vectors long and end in the middle of one.

-- ==
-- entry: two_boxes
-- random input { [7][7]f64 } auto output
-- random input { [33][33]f64 } auto output
-- random input { [68][68]f64 } auto output
-- random input { [100][100]f64 } auto output
-- structure { allocated 1 }
entry two_boxes [n] (a: [n][n]f64): [n][n]f64 =
  let w = n / 4
  in loop a = a for k < 32 do
       let top = k * w / 16
       in with { ([top, 0] <= iv < [top + w, w]) : 0.5 * a[iv] + 1;
                 ([top, 2 * w] <= iv < [top + w, 3 * w]) : 0.25 * a[iv] }
            : modarray a

-- ==
-- entry: small_box
-- random input { [3][90]i32 0i64 90i64 } auto output
-- random input { [3][90]i32 3i64 41i64 } auto output
-- random input { [3][90]i32 5i64 22i64 } auto output
-- random input { [3][90]i32 5i64 5i64 } auto output
entry small_box [n] [m] (a: [n][m]i32) (from: i64) (to: i64): [n][m]i32 =
  loop a = a for _ < 3 do
    with { ([0, from] <= iv < [n, to]) : 3 * a[iv] + 1 } : modarray a

-- The rows of the rows of the array are over it too.
-- ==
-- entry: box_of_cube
-- random input { [9][9][9]f64 } auto output
-- random input { [27][27][27]f64 } auto output
-- structure { allocated 1 }
entry box_of_cube [n] (a: [n][n][n]f64): [n][n][n]f64 =
  let w = n / 4
  in loop a = a for k < 3 do
       with { ([k, 0, k] <= iv < [k + w, w, n - k]) : 0.5 * a[iv] + 1 } : modarray a

-- The largest of the new elements comes from the same pass.
-- ==
-- entry: box_and_most
-- random input { [20][85]f64 } auto output
entry box_and_most [n] [m] (a: [n][m]f64): ([n][m]f64, f64) =
  loop (a, most) = (a, 0) for k < 3 do
    let b = with { ([1, k] <= iv < [n - 1, m - 40]) : 0.5 * a[iv] - 1 } : modarray a
    in (b, f64.max most (with { (. <= iv <= .) : b[iv] } : fold (f64.max, 0)))

-- | Rows of every length around the widths of vectors change in place: each element once, and no other one.
-- ==
-- entry: rows_of_all_lengths
-- input { 40i64 } output { 0i64 }
-- input { 3i64 } output { 0i64 }
-- input { 0i64 } output { 0i64 }
def thrice [n] (a: *[3][n]f64) (from: i64) (to: i64): [3][n]f64 =
  loop a = a for _ < 3 do
    with { ([1, from] <= iv < [3, to]) : 0.5 * a[iv] + 1 } : modarray a

def thrice_f32 [n] (a: *[3][n]f32) (from: i64) (to: i64): [3][n]f32 =
  loop a = a for _ < 3 do
    with { ([1, from] <= iv < [3, to]) : 0.5 * a[iv] + 1 } : modarray a

entry rows_of_all_lengths (n: i64): i64 =
  let meant from to i j =
    let x = f64.i64 (i * n + j) in if i > 0 && from <= j && j < to then x / 8 + 1.75 else x
  let wrong from to =
    let a = thrice (tabulate_2d 3 n (\i j -> f64.i64 (i * n + j))) from to
    let b = thrice_f32 (tabulate_2d 3 n (\i j -> f32.i64 (i * n + j))) from to
    in i64.sum (flatten (tabulate_2d 3 n (\i j ->
         (if a[i, j] == meant from to i j then 0 else 1)
         + (if f64.f32 b[i, j] == meant from to i j then 0 else 1))))
  in i64.sum
       (flatten
          (tabulate_2d (i64.min n 4) (n + 1) (\from to -> if from < to then wrong from to else 0)))
