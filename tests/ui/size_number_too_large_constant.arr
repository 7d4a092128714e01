-- Of a constant size, the arrays are no index vectors either, which `+` would need.
entry doubled (xs: [4611686018427387904]i64): i64 = length (xs ++ xs)
