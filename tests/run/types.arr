-- Type abbreviations, also with parameters, and type annotations.

type number = f64
type pair 'a = (a, a)
type vector [n] 'a = [n]a
type named 'a = {name: i64, value: a}
type points [n] = [n]{x: number, y: number}

-- ==
-- entry: of_pair
-- input { 1 2 } output { 2 1 }
entry of_pair (p: pair i32): pair i32 = (p.1, p.0)

-- ==
-- entry: of_vector
-- input { [1.0, 2.0] } output { 3.0 }
entry of_vector [n] (xs: vector [n] number): number = reduce (+) 0 xs

-- ==
-- entry: of_named
-- input { 7i64 1.5 } output { 8i64 3.0 }
entry of_named (x: named f64): named f64 = {name = x.name + 1, value = 2 * x.value}

-- ==
-- entry: of_points
-- input { [1.0] [2.0] } output { [2.0] [1.0] }
entry of_points [n] (ps: points [n]): points [n] = map (\p -> {x = p.y, y = p.x}) ps

-- ==
-- entry: of_nested
-- input { 1 2 3 4 } output { 10 }
entry of_nested (p: pair (pair i32)): i32 = p.0.0 + p.0.1 + p.1.0 + p.1.1

-- ==
-- entry: annotated
-- input { } output { 1u8 [2i16] }
entry annotated: (u8, [1]i16) =
  let x: u8 = 1
  in (x, ([2] : [1]i16))

def generic 'a (f: a -> a -> a) (xs: pair a): a = f xs.0 xs.1

-- ==
-- entry: of_generic
-- input { 3 4 } output { 12 7.0 }
entry of_generic (a: i32) (b: i32): (i32, f64) =
  (generic (*) (a, b), generic (+) (f64.i32 a, f64.i32 b))
