-- The sizes of arguments that are no plain names: what the caller passes is compared before anything is read.

-- Inferred: the size of one argument is the difference of two others.
-- ==
-- entry: appended
-- input { [1i64, 2i64] [1i64] [1i64, 2i64, 3i64] } output { [2i64, 4i64, 4i64] }
-- input { [1i64, 2i64] [1i64] [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64] } error: xs has size 2 but its type \[length zs - length ys\] has size 6; they must be equal
-- input { [1i64, 2i64] [1i64] [1i64, 2i64] } error: xs has size 2 but its type \[length zs - length ys\] has size 1; they must be equal
-- input { empty([0]i64) [1i64, 2i64] [1i64] } error: xs has size 0 but its type \[length zs - length ys\] has size -1; they must be equal
-- input { empty([0]i64) empty([0]i64) empty([0]i64) } output { empty([0]i64) }
entry appended (xs: []i64) (ys: []i64) (zs: []i64) = map2 (+) zs (xs ++ ys)

-- ==
-- entry: counted
-- input { 3i64 [1i64, 2i64] [3i64] } output { 9i64 }
-- input { 100000000i64 [1i64, 2i64] [3i64] } error: xs has size 2 but its type \[n - length ys\] has size 99999999; they must be equal
-- input { 9223372036854775807i64 [1i64, 2i64] [3i64] } error: xs has size 2 but its type
-- input { -9223372036854775808i64 [1i64, 2i64] [3i64] } error: too large|negative size
entry counted (n: i64) (xs: []i64) (ys: []i64): i64 = i64.sum (map2 (+) (iota n) (xs ++ ys))

-- ==
-- entry: ten
-- input { [1i32, 2i32, 3i32, 4i32, 5i32] [6i32, 7i32, 8i32, 9i32, 10i32] } output { [1i32, 2i32, 3i32, 4i32, 5i32, 6i32, 7i32, 8i32, 9i32, 10i32] }
-- input { [1i32, 2i32] [3i32] } error: xs has size 2 but its type \[10 - length ys\] has size 9; they must be equal
entry ten (xs: []i32) (ys: []i32): [10]i32 = xs ++ ys

-- Products, of three arguments and of records.
-- ==
-- entry: crossed
-- input { [1i64, 2i64] [3i64, 4i64, 5i64] [0i64, 0i64, 0i64, 1i64, 1i64, 1i64] } output { [4i64, 5i64, 6i64, 6i64, 7i64, 8i64] }
-- input { [1i64, 2i64] [3i64, 4i64, 5i64] [0i64, 0i64, 0i64, 1i64, 1i64] } error: zs has size 5 but its type \[length xs \* length ys\] has size 6; they must be equal
entry crossed (xs: []i64) (ys: []i64) (zs: []i64) =
  map2 (+) (flatten (map (\x -> map (+ x) ys) xs)) zs

-- ==
-- entry: fields
-- input { [1i64, 2i64] [1i64, 2i64] [3i64] [1i64, 2i64, 3i64] } output { 12i64 }
-- input { [1i64, 2i64] [1i64, 2i64] [3i64] [1i64, 2i64, 3i64, 4i64] } error: (p_a|p_a_0) has size 2 but its type \[length zs - length p_b\] has size 3; they must be equal
-- input { [1i64, 2i64] [1i64] [3i64] [1i64, 2i64, 3i64] } error: p_a_0 has size 2 but p_a_1 has size 1; they must be equal
entry fields (p: {a: [](i64, i64), b: []i64}) (zs: []i64): i64 =
  i64.sum (map2 (+) zs (map (.0) p.a ++ p.b))

-- Declared.
-- ==
-- entry: differences
-- input { [1i64, 2i64, 4i64] [0i64, 0i64] } output { [1i64, 2i64] }
-- input { [1i64, 2i64, 4i64] [0i64] } error: xs has size 3 but its type \[n\+1\] has size 2; they must be equal
-- input { empty([0]i64) [0i64] } error: xs has size 0 but its type \[n\+1\] has size 2; they must be equal
entry differences [n] (xs: [n + 1]i64) (ys: [n]i64): [n]i64 =
  map3 (\x y z -> y - x + z) (init xs :> [n]i64) (tail xs :> [n]i64) ys

-- A product that wraps, and a sum that does.
-- ==
-- entry: matrix
-- input { 2i64 3i64 [1i64, 2i64, 3i64, 4i64, 5i64, 6i64] } output { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]] }
-- input { 2i64 2i64 [1i64, 2i64, 3i64] } error: xs has size 3 but its type \[n\*m\] has size 4; they must be equal
-- input { 6148914691236517206i64 3i64 [5i64, 6i64] } error: size 6148914691236517206 \* 3 is too large
-- input { 4294967296i64 4294967296i64 empty([0]i64) } error: size 4294967296 \* 4294967296 is too large
entry matrix (n: i64) (m: i64) (xs: [n * m]i64): [n][m]i64 = unflatten xs

-- ==
-- entry: longer
-- input { 2i64 [1i64, 2i64, 3i64] } output { 6i64 }
-- input { 9223372036854775807i64 [1i64, 2i64, 3i64] } error: size 9223372036854775807 \+ 1 is too large
-- input { -1i64 empty([0]i64) } output { 0i64 }
entry longer (n: i64) (xs: [n + 1]i64): i64 = i64.sum xs

-- Rows.
-- ==
-- entry: rows
-- input { [[1i64, 2i64], [3i64, 4i64]] [5i64] [6i64] } output { 30i64 }
-- input { [[1i64, 2i64], [3i64, 4i64]] [5i64, 6i64] [6i64] } error: (ys has size 2 but its type \[.*\] has size 1|dimension 2 of xss has size 2 but its type \[length ys \+ length zs\] has size 3); they must be equal
entry rows (xss: [][]i64) (ys: []i64) (zs: []i64): i64 =
  i64.sum (map (\xs -> i64.sum (map2 (+) xs (ys ++ zs))) xss) - 2

-- Sizes that are only there multiplied, or with something added.
-- ==
-- entry: halves
-- input { [1i64, 2i64, 3i64, 4i64] } output { [1i64, 3i64] }
-- input { empty([0]i64) } output { empty([0]i64) }
-- input { [1i64, 2i64, 3i64] } error: xs has size 3 but its type \[2\*k\] has size 2; they must be equal
entry halves [k] (xs: [2 * k]i64): [k]i64 = map (\i -> xs[2 * i]) (iota k)

-- ==
-- entry: after_the_first
-- input { [1i64, 2i64, 3i64] } output { [2i64, 3i64] }
-- input { empty([0]i64) } error: make n -1, but no size is negative
entry after_the_first [n] (xs: [n + 1]i64): [n]i64 = map (\i -> xs[i + 1]) (iota n)

-- ==
-- entry: triples
-- input { [1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64] [8i64] } output { 2i64 }
-- input { [1i64, 2i64, 3i64, 4i64, 5i64, 6i64] [8i64] } error: xs has size 6 but its type \[.*\] has size 4; they must be equal
-- input { empty([0]i64) [8i64, 9i64] } error: make k -1, but no size is negative
entry triples [k] [m] (xs: [3 * k + m]i64) (_: [m]i64): i64 = k

-- ==
-- entry: rows_in_pairs
-- input { [[1i64, 2i64], [3i64, 4i64]] } output { 1i64 1i64 }
-- input { [[1i64, 2i64, 3i64], [3i64, 4i64, 5i64]] } error: dimension 2 of xss has size 3 but its type \[2\*m\] has size 2; they must be equal
entry rows_in_pairs [k] [m] (xss: [2 * k][2 * m]i64): (i64, i64) = (k, m)

-- A size that follows from a product is known to the calls in the body.
-- ==
-- entry: in_rows
-- input { [1, 2, 3, 4, 5, 6] } output { [[1, 2, 3], [4, 5, 6]] }
entry in_rows [n] (xs: [n * 3]i32): [n][3]i32 = unflatten xs

-- ==
-- entry: in_sums
-- input { [1, 2, 3, 4, 5, 6] } output { [6, 15] }
entry in_sums [n] (xs: [3 * n]i32): [n]i32 = map i32.sum (unflatten xs : [n][3]i32)

-- An array that is cut into rows, whose number follows from the array's length alone.
-- ==
-- entry: pairs
-- input { [1i64, 2i64, 3i64, 4i64, 5i64, 6i64] } output { [3i64, 7i64, 11i64] }
-- input { empty([0]i64) } output { empty([0]i64) }
-- input { [1i64, 2i64, 3i64] } error: xs has size 3 but its type \[2\*n\] has size 2; they must be equal
entry pairs [n] (xs: [n * 2]i64): [n]i64 = map i64.sum (unflatten xs : [n][2]i64)

-- The result type determines the number of rows that `unflatten` makes.
-- ==
-- entry: shortened
-- input { [1u8, 2u8, 3u8, 4u8, 5u8, 6u8, 7u8, 8u8] } output { [1u8, 2u8, 3u8, 5u8, 6u8, 7u8] }
entry shortened [n] (xs: [n * 4]u8): [n * 3]u8 =
  let shorter (row: [4]u8) = [row[0], row[1], row[2]]
  in flatten (map shorter (unflatten xs))
