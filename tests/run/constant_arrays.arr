-- Array literals of constants are data of the program: nobody owns them, and nothing writes to them.

-- Given away twice, each is the caller's.
-- ==
-- entry: twice
-- input { } output { [1, 2, 3] [1, 2, 3] }
entry twice: ([3]i32, [3]i32) = let t = [1, 2, 3] in (t, t)

-- An update leaves the literal as it is, in each call.
-- ==
-- entry: updated
-- input { 1i64 } output { [1, 9, 3] [1, 2, 3] }
-- input { 0i64 } output { [9, 2, 3] [1, 2, 3] }
entry updated (i: i64): ([3]i32, [3]i32) = let t = [1, 2, 3] in (t with [i] = 9, t)

-- ==
-- entry: carried
-- input { 4i64 } output { [0, 1, 2, 3] }
-- input { 0i64 } output { [7, 7, 7, 7] }
entry carried (n: i64): [4]i64 = loop t = [7, 7, 7, 7] for i < n do t with [i] = i

-- ==
-- entry: longer
-- input { 3i64 } output { [5, 6, 0, 1, 2] }
-- input { 0i64 } output { [5, 6] }
entry longer (n: i64): ?[k].[k]i64 = loop t = [5, 6] for i < n do t ++ [i]

-- A function that owns what it is given gets a copy.
def zeroed (xs: *[3]i32): *[3]i32 = xs with [0] = 0

-- ==
-- entry: owned
-- input { } output { [0, 2, 3] [0, 2, 3] }
entry owned: ([3]i32, [3]i32) = (zeroed [1, 2, 3], zeroed [1, 2, 3])

-- ==
-- entry: looked_up
-- input { [0i64, 3i64, 1i64] } output { [2.5, 16.5, 4.5] }
entry looked_up [n] (is: [n]i64): [n]f64 = map (\i -> [2.5, 4.5, 8.5, 16.5][i]) is

-- Tuples, records and sums are an array for each part.
-- ==
-- entry: parts
-- input { 1i64 } output { 3u8 4.5f32 true -6i16 }
entry parts (i: i64): (u8, f32, bool, i16) =
  let t = [{a = (1u8, 2.5f32), b = (false, -5i16)}, {a = (3, 4.5), b = (true, -6)}]
  in (t[i].a.0, t[i].a.1, t[i].b.0, t[i].b.1)

-- ==
-- entry: kinds
-- input { 0i64 } output { 7 }
-- input { 1i64 } output { 0 }
entry kinds (i: i64): i32 =
  let t: [](#some i32 | #none) = [#some 7, #none]
  in match t[i] case #some x -> x case #none -> 0

-- ==
-- entry: nested
-- input { 1i64 } output { [[5, 6], [7, 8]] 8 [[[1, 2], [3, 4]], [[5, 6], [7, 8]]] }
entry nested (i: i64): ([2][2]i32, i32, [2][2][2]i32) =
  let t = [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]
  in (t[i], t[i, 1, 1], t)

-- What is no constant is written to its place.
-- ==
-- entry: mixed
-- input { 9 } output { [[1, 9], [3, 4]] [[1, 9], [9, 0], [5, 6]] }
entry mixed (x: i32): ([2][2]i32, [3][2]i32) =
  let row = [x, 0]
  let t = [[1, x], [3, 4]]
  in (t, [[1, x], row, [5, 6]])

-- ==
-- entry: mostly
-- input { 7 } output { [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 7, 12, 13, 14, 15, 16, 17, 18, 19] }
entry mostly (x: i32): [20]i32 =
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, x, 12, 13, 14, 15, 16, 17, 18, 19]

-- ==
-- entry: of_rows
-- input { [4, 5] } output { [[4, 5], [1, 2], [4, 5]] }
entry of_rows (xs: [2]i32): [3][2]i32 = [xs, [1, 2], xs]

-- ==
-- entry: chosen
-- input { true } output { [1, 2] }
-- input { false } output { [3, 4] }
entry chosen (c: bool): [2]i32 = if c then [1, 2] else [3, 4]

-- ==
-- entry: streamed
-- input { [1, 2] } output { [1, 10, 20, 2, 10, 20] }
entry streamed [n] (xs: [n]i32): ?[k].[k]i32 = flatmap (\x -> [x] ++ [10, 20]) xs

-- ==
-- entry: text
-- input { } output { [104u8, 195u8, 169u8] }
entry text: []u8 = "hé"

-- ==
-- entry: no_text
-- input { } output { empty([0]u8) }
entry no_text: []u8 = ""
