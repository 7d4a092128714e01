-- $ arrc build FILE --emit=process,procedure
-- The other operators as loops: an index space, indices that fuse with a gather, and a cross.
entry demo [n] [m] (xs: [n]f64) (ys: [m]f64): ([n]f64, f64) =
  let reversed = gather xs (map (\i -> n - 1 - i) (iota n))
  let products = reduce (+) 0 (map (\(x, y) -> x * y) (cross xs ys))
  in (reversed, products)
