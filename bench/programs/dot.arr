-- | The inner products of pairs (002, section 6.1), element by element.
entry dot_i32 [n] (a: [n]i32) (b: [n]i32) (c: [n]i32) (d: [n]i32): [n]i32 =
  map2 (+) (map2 (*) a b) (map2 (*) c d)

-- | The same of floats.
entry dot_f64 [n] (a: [n]f64) (b: [n]f64) (c: [n]f64) (d: [n]f64): [n]f64 =
  map2 (+) (map2 (*) a b) (map2 (*) c d)

-- | One inner product.
entry inner_f64 [n] (a: [n]f64) (b: [n]f64): f64 = reduce (+) 0 (map2 (*) a b)
