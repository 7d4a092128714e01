-- $ arrc test FILE --interpret --exclude slow
-- ==
-- entry: total
-- input { [1] } output { 1 }
-- compiled input { [2] } output { 2 }
entry total [n] (xs: [n]i64): i64 = reduce (+) 0 xs

-- ==
-- tags { slow big }
-- entry: total
-- input { [1] } output { 7 }

-- ==
-- tags { disable }
-- entry: total
-- input { [1] } output { 8 }
