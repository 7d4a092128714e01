-- $ arrc test FILE
-- ==
-- property: count plain made smaller missing
#[prop]
entry count (xs: []i64): i64 = length xs

entry plain (x: i64): bool = x == x

#[prop(gen(count))]
entry made (x: i64): bool = x == x

#[prop(shrink(plain))]
entry smaller (x: i64): bool = x == x

#[prop(gen(nothing))]
entry missing (x: i64): bool = x == x
