-- Sections of indices, texts, characters, local operators.

-- ==
-- entry: index_section
-- input { [5, 6, 7] 1i64 } output { 6 7 }
entry index_section [n] (xs: [n]i32) (i: i64): (i32, i32) = ((.[i]) xs, xs |> (.[i + 1]))

-- ==
-- entry: index_section_map
-- input { [0i64, 2i64] [5, 6, 7] } output { [5, 7] }
-- input { empty([0]i64) [5, 6, 7] } output { empty([0]i32) }
entry index_section_map [n] [m] (is: [n]i64) (xs: [m]i32): [n]i32 = map (\i -> (.[i]) xs) is

-- ==
-- entry: text
-- input { } output { [104u8, 105u8, 10u8, 34u8, 195u8, 169u8] 6i64 }
entry text: ([6]u8, i64) = ("hi\n\"é", length "hi\n\"\u{e9}")

-- ==
-- entry: empty_text
-- input { } output { empty([0]u8) }
entry empty_text: [0]u8 = ""

-- ==
-- entry: vowels
-- input { [104u8, 101u8, 108u8, 108u8, 111u8] } output { 2i64 }
-- input { empty([0]u8) } output { 0i64 }
entry vowels [n] (word: [n]u8): i64 =
  count (\c -> c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u') word

-- A character is a number of any type.
-- ==
-- entry: characters
-- input { } output { 97u8 97i64 97.0 10i32 39u8 233i32 }
entry characters: (u8, i64, f64, i32, u8, i32) = ('a', 'a', 'a', '\n', '\'', 'é')

-- ==
-- entry: local_operators
-- input { 3i64 4i64 } output { 25i64 7i64 }
entry local_operators (a: i64) (b: i64): (i64, i64) =
  let (<+>) (x: i64) (y: i64) = x * x + y * y
  in (a <+> b, a + b)

def (***) (x: i64) (y: i64): i64 = x * 100 + y
def (+-+) (x: i64) (y: i64): i64 = x - y

-- ==
-- entry: precedence
-- input { 2i64 3i64 4i64 } output { -302i64 -3i64 20304i64 }
entry precedence (a: i64) (b: i64) (c: i64): (i64, i64, i64) =
  (a +-+ b *** c, a +-+ b +-+ 2, a *** b *** c)

-- An attribute changes nothing.
-- ==
-- entry: attributes
-- input { 4i64 } output { 9i64 }
#[inline]
entry attributes (x: i64): i64 = #[noinline] twice x + 1

#[noinline]
def twice (x: i64): i64 = 2 * x

-- ==
-- entry: path_sections
-- input { [[1, 2, 3], [4, 5, 6]] } output { [1, 4] [[2, 3], [5, 6]] 4 [2, 5] }
entry path_sections (xss: [2][3]i32): ([2]i32, [2][2]i32, i32, [2]i32) =
  let rs = map (\row -> {a = row}) xss
  in (map (.a[0]) rs, map (.[1:]) xss, (.[1].a[0]) rs, map (.a[1:][0]) rs)

-- ==
-- entry: section_bounds
-- input { [1, 2, 3] 1i64 } output { [2] [1, 2] }
-- input { [1, 2, 3] 3i64 } error: slice 1:4 is out of bounds for an array of length 3
entry section_bounds [n] (xs: [n]i32) (k: i64): ([]i32, []i32) =
  ((.[1:k + 1]) xs, xs |> (.[:k + 1]))
