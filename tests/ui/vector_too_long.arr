-- An index vector has a component for each element, so it is not as long as any array of a constant length.
entry sums (xs: [4611686018427387904]i64): [4611686018427387904]i64 = xs + xs
entry less (xs: [10001]i64): [10001]i64 = -xs
entry element (xs: [2][2]i64) (at: [10001]i64): i64 = xs[at]
