-- $ arrc test FILE
-- ==
-- entry:
-- output { 1 }
-- input { [1] } auto
-- input @
-- structure total { clusters }
entry total [n] (xs: [n]i64): i64 = reduce (+) 0 xs
