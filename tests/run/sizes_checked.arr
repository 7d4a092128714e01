-- Sizes do not wrap, and none is negative: also where nobody looks at an element. The interpreter keeps no array of so many
-- elements, and may say so first.

-- ==
-- entry: element
-- input { 2i64 3i64 1i64 2i64 [1i64, 2i64, 3i64, 4i64, 5i64, 6i64] } output { 6i64 }
-- input { 6148914691236517206i64 3i64 0i64 2i64 [5i64, 6i64] } error: size 6148914691236517206 \* 3 is too large
-- input { 4294967296i64 4294967296i64 0i64 2i64 empty([0]i64) } error: size 4294967296 \* 4294967296 is too large
-- input { -1i64 -3i64 0i64 2i64 [5i64, 6i64, 7i64] } error: negative size -1 in unflatten
-- input { 0i64 -3i64 0i64 2i64 empty([0]i64) } error: negative size -3 in unflatten
entry element (n: i64) (m: i64) (i: i64) (j: i64) (xs: []i64): i64 =
  let y: [n][m]i64 = unflatten (sized (n * m) xs) in y[i, j]

-- ==
-- entry: coerced
-- input { 2i64 1i64 [1i64, 2i64, 3i64] } output { [1i64, 2i64, 3i64] }
-- input { 9223372036854775807i64 1i64 [1i64] } error: size (1 \+ 9223372036854775807|9223372036854775807 \+ 1) is too large
entry coerced (n: i64) (m: i64) (xs: []i64) = xs :> [n + m]i64

-- Rows that nobody makes.
-- ==
-- entry: nested
-- input { 0i64 2i64 } output { empty([0][2]i64) }
-- input { 2i64 1i64 } output { [[0i64], [1i64]] }
-- input { 0i64 -1i64 } error: negative size -1 in
-- input { 2i64 -1i64 } error: negative size -1 in generate
entry nested (n: i64) (m: i64) = generate n (\i -> generate m (\j -> i + j))

-- ==
-- entry: nested_more
-- input { 2i64 -1i64 } output { empty([2][0]i64) }
-- input { 0i64 -2i64 } error: negative size -1 in
-- input { 0i64 9223372036854775807i64 } error: size 9223372036854775807 \+ 1 is too large|negative size
entry nested_more (n: i64) (m: i64) = generate n (\i -> generate (m + 1) (\j -> i + j))

-- ==
-- entry: deep
-- input { 1i64 2i64 0i64 } output { empty([1][2][0]i64) }
-- input { 9223372036854775807i64 2i64 0i64 } error: out of memory
-- input { 0i64 2i64 -1i64 } error: negative size -1 in
entry deep (n: i64) (m: i64) (k: i64) = tabulate_3d n m k (\a b c -> a + b * c)

-- ==
-- entry: empty_rows
-- input { 3i64 } output { empty([0][3]i64) }
-- input { -3i64 } error: negative size -3 in an array's element
entry empty_rows (m: i64): [0][m]i64 = []

-- Arrays without elements.
-- ==
-- entry: flat
-- input { empty([3][0]i8) } output { empty([0]i8) }
-- input { [[1i8], [2i8]] } output { [1i8, 2i8] }
entry flat (xss: [][]i8) = flatten xss

-- ==
-- entry: flat_length
-- input { empty([3][4][0]i8) } output { 12i64 }
-- input { empty([4611686018427387904][4][0]i8) } error: size 4611686018427387904 \* 4 is too large|out of memory
entry flat_length (xsss: [][][]i8) = length (flatten xsss)

-- ==
-- entry: turned
-- input { empty([0][2]f32) } output { empty([2][0]f32) }
-- input { empty([0][9223372036854775807]f32) } error: out of memory
entry turned (xss: [][]f32) = transpose xss

-- ==
-- entry: appended
-- input { empty([1][0]i8) empty([2][0]i8) } output { empty([3][0]i8) 4i64 }
-- input { empty([4611686018427387904][0]i8) empty([4611686018427387904][0]i8) } error: too many elements|is too large|out of memory
entry appended (xss: [][]i8) (yss: [][]i8) = (xss ++ yss, length (xss ++ yss ++ xss))

-- Lengths of what is in no memory.
-- ==
-- entry: lengths
-- input { 3i64 2i64 } output { 9i64 6i64 6i64 6i64 }
-- input { 4611686018427387904i64 2i64 } error: is too large|out of memory
-- input { 4611686018427387904i64 1i64 } error: is too large|out of memory
entry lengths (n: i64) (m: i64) =
  (length (iota n ++ iota n ++ iota n),
   length (cross (iota n) (iota m)),
   length (flatten (generate n (\i -> generate m (\j -> i + j)))),
   length (flatmap (\i -> replicate n i) (iota m)))

-- ==
-- entry: flatmapped
-- input { [1i64, 2i64, 0i64] } output { 3i64 }
-- input { [4611686018427387904i64, 4611686018427387904i64, 0i64] } error: is too large|out of memory
-- input { [1i64, -1i64] } error: negative size -1
entry flatmapped (xs: []i64) = length (flatmap (\x -> replicate x x) xs)

-- ==
-- entry: ranges
-- input { -2i64 2i64 } output { 5i64 4i64 3i64 }
-- input { -9223372036854775808i64 9223372036854775807i64 } error: range -9223372036854775808\.\.\.9223372036854775807 has too many numbers
-- input { 0i64 9223372036854775807i64 } error: range 0\.\.\.9223372036854775807 has too many numbers
-- input { -1i64 9223372036854775806i64 } error: has too many numbers
entry ranges (a: i64) (b: i64) = (length (a...b), length (a..<b), length (a..(a + 2)...b))

-- ==
-- entry: naturals
-- input { 1u64 3u64 } output { 3i64 }
-- input { 0u64 18446744073709551615u64 } error: has too many numbers
-- input { 0u64 9223372036854775807u64 } error: has too many numbers
entry naturals (a: u64) (b: u64) = length (a...b)
