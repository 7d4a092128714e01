-- `&&` and `||` look at their right side only if it matters.

-- ==
-- entry: both_either
-- input { true true } output { true true false }
-- input { true false } output { false true false }
-- input { false true } output { false true true }
-- input { false false } output { false false true }
entry both_either (a: bool) (b: bool): (bool, bool, bool) = (a && b, a || b, !a)

-- ==
-- entry: divides
-- input { 3 12 } output { true }
-- input { 5 12 } output { false }
-- input { 0 12 } output { false }
entry divides (d: i32) (x: i32): bool = d != 0 && x % d == 0

-- ==
-- entry: zero_or_divides
-- input { 0 12 } output { true }
-- input { 5 12 } output { false }
entry zero_or_divides (d: i32) (x: i32): bool = d == 0 || x % d == 0

-- Also in a loop, and with an index on the right.
-- ==
-- entry: follows
-- input { [5i64, 1i64, 2i64, 9i64] } output { [false, false, true, false] }
-- input { empty([0]i64) } output { empty([0]bool) }
entry follows [n] (xs: [n]i64): [n]bool =
  map (\i -> i > 0 && xs[i] == xs[i - 1] + 1) (iota n)

-- `&&` binds tighter than `||`, comparisons tighter than both.
-- ==
-- entry: precedence
-- input { true false false } output { true }
-- input { false true false } output { false }
-- input { false true true } output { true }
entry precedence (a: bool) (b: bool) (c: bool): bool = a || b && c

-- ==
-- entry: all_any
-- input { [true, true, true] } output { true true }
-- input { [true, false] } output { false true }
-- input { [false] } output { false false }
-- input { empty([0]bool) } output { true false }
entry all_any [n] (xs: [n]bool): (bool, bool) = (reduce (&&) true xs, reduce (||) false xs)
