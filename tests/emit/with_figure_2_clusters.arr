-- $ arrc build FILE --emit=clusters
-- Figure 2 of paper 004: the least and the greatest element in one sweep at every rank, written as two with-loops.
def min_max_1 [n] (a: [n]i32): (i32, i32) =
  (with { (. <= iv <= .) : a[iv] } : fold (i32.min, i32.highest),
   with { (. <= iv <= .) : a[iv] } : fold (i32.max, i32.lowest))

entry ranks [n] [m] [o] (a: [n]i32) (b: [n][m]i32) (c: [n][m][o]i32): [6]i32 =
  let (x, y) = min_max_1 a
  let (z, w) =
    (with { (. <= iv <= .) : b[iv] } : fold (i32.min, i32.highest),
     with { (. <= iv <= .) : b[iv] } : fold (i32.max, i32.lowest))
  let (u, v) = with { (. <= iv <= .) : (c[iv], c[iv]) } : (fold (i32.min, i32.highest), fold (i32.max, i32.lowest))
  in [x, y, z, w, u, v]
