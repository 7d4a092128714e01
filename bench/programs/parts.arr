-- | For each element up to three consecutive numbers, of which it is the first. Its last two bits are their number.
entry flatmap_i32 [n] (xs: [n]i32): ?[m].[m]i32 =
  flatmap (\x -> map (\i -> x + i32.i64 i) (iota (i64.i32 (x & 3)))) xs
