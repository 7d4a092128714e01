-- $ arrc bench --strategies=ilp,none FILE
-- The C files of the test blocks are linked with what is measured.
external doubled (x: i64): i64

-- ==
-- link: bench_no_such_file.c
-- entry: twice
-- input { 1 } output { 2 }
entry twice (x: i64): i64 = doubled x
