-- Each test fails, and the others run.
-- ==
-- entry: total
-- input @ missing.in output { 1i64 }
-- input { [1i64, 2i64] } output @ missing.out
-- input @ two.in output { 1i64 }
-- input { [1i64] } error: Index \[1\]
-- script input { made 2i64 3i64 } output { 1i64 }
-- script input { made -1i64 } output { 1i64 }
-- script input { (1, made 1i64) } output { 1i64 }
-- script input { $loadimg "a.png" } output { 1i64 }
-- script input { nothing } output { 1i64 }
-- script input { made 3i64 } output { 3i64 }
-- script input { made 3i64 } output { 4i64 }
entry total (xs: []i64): i64 = reduce (+) 0 xs

entry made (n: i64): []i64 = iota n

-- ==
-- property: tiny halved ends
#[prop(size(8))]
entry tiny (xs: []i8): bool = length xs < 3

#[prop(gen(seeds), shrink(less))]
entry halved (x: i64): bool = x / 2 * 2 == x || x < 10

entry seeds (size: i64) (seed: i64): i64 = i64.abs (seed / 2)
entry less (x: i64) (by: i32): i64 = if x > 20 then x / 4 * 2 + 1 else x

#[prop]
entry ends (xs: []i32): bool = xs[60] == 0

-- ==
-- warning: never used
