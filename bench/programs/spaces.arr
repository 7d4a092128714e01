-- | The least and the greatest element (004, figure 9a), as two with-loops.
entry space_min_max_f64 [n] (a: [n][n]f64): (f64, f64) =
  (with { (. <= iv <= .) : a[iv] } : fold (f64.min, f64.inf),
   with { (. <= iv <= .) : a[iv] } : fold (f64.max, -f64.inf))

-- | One step of a relaxation on a square, whose edge stays, and the largest change.
entry space_relax_f64 [n] (a: [n][n]f64): ([n][n]f64, f64) =
  let b =
    with { (. < [i, j] < .) : 0.25 * (((a[i - 1, j] + a[i + 1, j]) + a[i, j - 1]) + a[i, j + 1]) }
      : modarray a
  in (b, with { (. <= iv <= .) : f64.abs (b[iv] - a[iv]) } : fold (f64.max, 0))

-- | One step of the periodic convolution, and the largest change (004, figure 9b), for arrays of any rank.
def convolved [..s] (a: [..s]f64): ([..s]f64, f64) =
  let sum = loop sum = a for k < dim a do
    map2_s (+) sum (map2_s (+) (rotate_axis k 1 a) (rotate_axis k (-1) a))
  let b = map_s (* (1 / f64.i64 (2 * dim a + 1))) sum
  in (b, reduce_s f64.max 0 (map2_s (\x y -> f64.abs (y - x)) a b))

entry space_convolve_f64 [n]: [n][n]f64 -> ([n][n]f64, f64) = convolved

-- | Half a step of a relaxation by colours: the points whose indices have an even sum, from their neighbours.
entry space_red_f64 [n] (a: [n][n]f64): [n][n]f64 =
  let four i j = 0.25 * (((a[i - 1, j] + a[i + 1, j]) + a[i, j - 1]) + a[i, j + 1])
  in with { ([1, 1] <= [i, j] < [n - 1, n - 1] step [2, 2]) : four i j;
            ([2, 2] <= [i, j] < [n - 1, n - 1] step [2, 2]) : four i j }
       : modarray a

-- | Every third element, and zeros between them.
entry space_grid_f64 [n] (a: [n]f64): [n]f64 =
  with { (. <= [i] <= . step 3) : 2 * a[i] } : genarray ([n], 0)

-- | Blocks of a square, as large and as far from each other as the arguments say, and zeros between them.
entry space_blocks_f64 [n] (a: [n][n]f64) (s: i64) (w: i64): [n][n]f64 =
  with { (. <= iv <= . step [s, s] width [w, w]) : 2 * a[iv] + 1 } : genarray ([n, n], 0)

-- | Four of every sixteen elements, and zeros between them.
entry space_bands_f64 [n] (a: [n]f64): [n]f64 =
  with { (. <= [i] <= . step 16 width 4) : 2 * a[i] + 1 } : genarray ([n], 0)

-- | The same, as far from each other as the arguments say.
entry space_bands_given_f64 [n] (a: [n]f64) (s: i64) (w: i64): [n]f64 =
  with { (. <= [i] <= . step s width w) : 2 * a[i] + 1 } : genarray ([n], 0)

-- | Two boxes of a square change 32 times, and move down a little each time. The rest of the square stays.
entry space_boxes_f64 [n] (a: [n][n]f64): [n][n]f64 =
  let w = n / 4
  in loop a = a for k < 32 do
       let top = k * w / 16
       in with { ([top, 0] <= iv < [top + w, w]) : 0.5 * a[iv] + 1;
                 ([top, 2 * w] <= iv < [top + w, 3 * w]) : 0.25 * a[iv] }
            : modarray a
