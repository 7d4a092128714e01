-- | How often a number contains another one.
entry ratio (of: i64) (to: i64): i64 = of / to
