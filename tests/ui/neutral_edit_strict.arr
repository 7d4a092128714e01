-- $ arrc check --strict FILE
entry largest [n] (xs: [n]i64): i64 = reduce i64.max 0 xs
