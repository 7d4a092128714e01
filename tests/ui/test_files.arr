-- $ arrc test FILE
-- Files are looked for beside the program.
-- ==
-- entry: total
-- input @ test_files.in output { 15 }
-- input { @points.csv:x } output { 4 }
-- input @ points.csv:x output { 4 }
-- input @ three.npy output @test_files_out.in
entry total [n] (xs: [n]f64): f64 = reduce (+) 0 xs
