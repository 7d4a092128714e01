-- input
-- A filter, which runs in vectors where they are asked for; and a reduction that LLVM runs in vectors.
entry kept [n] (xs: [n]i32): ?[k].[k]i32 = filter (> 0) xs
entry total [n] (xs: [n]f64): f64 = reduce (+) 0 xs
