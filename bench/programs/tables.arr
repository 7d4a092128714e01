-- | How many elements have each of the values 0 to k-1 as their remainder.
entry histogram_i32 [n] (k: i64) (xs: [n]i32): [k]i32 =
  hist (+) 0 k (map (\x -> i64.i32 x % k) xs) (replicate n 1)

-- | The elements of a table at the given places, increased by one.
entry gather_i32 [n] [m] (table: [m]i32) (is: [n]i64): [n]i32 = map (+ 1) (gather table is)
