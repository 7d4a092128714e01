-- $ arrc build FILE --emit=concrete
-- Index arithmetic in 32 bits gets a range as that in 64 bits does: there the indices are computed in 64 bits.
entry smooth [n] (xs: [n]f32): [n]f32 =
  let m = i32.i64 n
  in tabulate n (\i ->
    let k = i32.i64 i
    in if k == 0 || k == m - 1 then xs[i64.i32 k]
       else 0.5 * xs[i64.i32 k] + 0.25 * (xs[i64.i32 (k - 1)] + xs[i64.i32 (k + 1)]))
