-- The definition `main` is an entry, beside others; what `main` is in the files that it imports does not matter.

import "lib/main"

def twice (x: i64): i64 = 2 * x

-- ==
-- input { [1i64, 2i64] } output { [12i64, 14i64] }
-- input { empty([0]i64) } output { empty([0]i64) }
def main [n] (xs: [n]i64): [n]i64 = map (\x -> twice (x + five)) xs

-- ==
-- entry: doubled
-- input { 4i64 } output { 8i64 }
entry doubled (x: i64): i64 = twice x
