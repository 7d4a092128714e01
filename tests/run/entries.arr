-- What entries can take and give: nothing, records, tuples, many values; and any names.

-- ==
-- entry: no_parameters
-- input { } output { 42 }
entry no_parameters: i32 = 6 * 7

-- ==
-- entry: array_of_nothing
-- input { } output { [0i64, 1i64, 4i64] }
entry array_of_nothing: [3]i64 = map (\i -> i * i) (iota 3)

type point = {x: f64, y: f64}
type named = {point: point, weight: f32}

-- ==
-- entry: records
-- input { 1.0 2.0 3.0f32 } output { 2.0 1.0 6.0f32 3.0 }
entry records (a: named): (named, f64) =
  ({point = {x = a.point.y, y = a.point.x}, weight = 2 * a.weight}, a.point.x + a.point.y)

-- ==
-- entry: tuple_of_arrays
-- input { [1, 2] [3.0] } output { [3.0] [1, 2] }
entry tuple_of_arrays [n] [m] (t: ([n]i32, [m]f64)): ([m]f64, [n]i32) = (t.1, t.0)

-- ==
-- entry: patterns
-- input { 1 2 3 4 } output { 10 }
entry patterns (a: i32, b: i32) ({c, d}: {c: i32, d: i32}): i32 = a + b + c + d

-- Words of C and of its libraries are names like others.
-- ==
-- entry: while_
-- input { 1 2 3 4 5 } output { 15 1 }
entry while_ (int: i32) (for': i32) (double: i32) (ctx: i32) (struct: i32): (i32, i32) =
  (int + for' + double + ctx + struct, int)

-- ==
-- entry: malloc_of
-- input { 1i64 [1, 2] } output { 2 }
entry malloc_of [errno] (size_t: i64) (free: [errno]i32): i32 = free[size_t]

-- Entries may call one another.
-- ==
-- entry: calls
-- input { 3 } output { 45 }
entry calls (x: i32): i32 = no_parameters + x

-- ==
-- entry: unused
-- input { 1 [1.0, 2.0] true } output { 5 }
entry unused [n] (_: i32) (xs: [n]f64) (b: bool): i32 = 5

-- ==
-- entry: same_twice
-- input { [1, 2] } output { [1, 2] [1, 2] 2i64 }
entry same_twice [n] (xs: [n]i32): ([n]i32, [n]i32, i64) = (xs, xs, n)

-- An entry with very many parameters: as many as the letters.
-- ==
-- entry: many
-- input { 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 } output { 351 }
entry many (a: i32) (b: i32) (c: i32) (d: i32) (e: i32) (f: i32) (g: i32) (h: i32) (i: i32) (j: i32)
    (k: i32) (l: i32) (m: i32) (n: i32) (o: i32) (p: i32) (q: i32) (r: i32) (s: i32) (t: i32)
    (u: i32) (v: i32) (w: i32) (x: i32) (y: i32) (z: i32): i32 =
  a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p + q + r + s + t + u + v + w + x + y
  + z
