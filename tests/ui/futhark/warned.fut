-- ==
-- input { 1i64 } output { 1i64 }
-- warning: `y` is never used
entry main (x: i64): i64 = let y = 2 in x
