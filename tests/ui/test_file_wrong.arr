-- $ arrc test FILE
-- ==
-- entry: total
-- input @ test_no_such_file.in output { 15 }
-- input { @test_no_such_file.npy } output { 15 }
entry total [n] (xs: [n]i64): i64 = reduce (+) 0 xs
