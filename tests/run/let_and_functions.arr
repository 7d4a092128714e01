-- `let`: values, patterns, shadowing, and functions that know what is around them.

-- ==
-- entry: shadowed
-- input { 1 } output { 12 }
entry shadowed (x: i32): i32 =
  let x = x + 1
  let y = x * 2
  let x = y + 2
  in x * 2

-- ==
-- entry: inner_scope
-- input { 5 } output { 11 }
entry inner_scope (x: i32): i32 =
  let y = (let x = 1 in x + x) + x
  in y + (let z = x - 1 in z)

-- A local function may use what is around it, even if that is shadowed later.
-- ==
-- entry: closure
-- input { 3 10 } output { 13 }
entry closure (x: i32) (y: i32): i32 =
  let add_x (z: i32) = z + x
  let x = 100
  in if x == 100 then add_x y else 0

-- A local function without types is as general as it can be.
-- ==
-- entry: polymorphic
-- input { 1 2.0 } output { 1 2.0 1 }
entry polymorphic (a: i32) (b: f64): (i32, f64, i32) =
  let first x _ = x
  in (first a b, first b a, first a a)

-- ==
-- entry: annotated
-- input { [1i64, 2i64, 3i64] } output { [2i64, 4i64, 6i64] 3i64 }
entry annotated [n] (xs: [n]i64): ([n]i64, i64) =
  let doubled [m] (ys: [m]i64): [m]i64 = map (* 2) ys
  let size 'a [m] (_: [m]a): i64 = m
  in (doubled xs, size (doubled xs))

-- ==
-- entry: in_a_worker
-- input { [1, 2, 3] 10 } output { [20, 30, 40] }
entry in_a_worker [n] (xs: [n]i32) (k: i32): [n]i32 =
  map (\x ->
    let y = x * k
    let add z = y + z
    in add k) xs

-- Names can have primes, digits and underscores.
-- ==
-- entry: primes
-- input { 2 } output { 7 }
entry primes (x: i32): i32 =
  let x' = x + 1
  let x'' = x' + 1
  let _y2 = x'' + x'
  in _y2

def constant: i64 = 6 * 7
def scaled = \x -> x * constant

-- ==
-- entry: definitions
-- input { 2i64 } output { 84i64 }
entry definitions (x: i64): i64 = scaled x

-- A definition may come after its use.
-- ==
-- entry: order
-- input { 1 } output { 3 }
entry order (x: i32): i32 = later (later x)
def later (x: i32): i32 = x + 1

-- ==
-- entry: typed
-- input { 3 } output { 3i64 }
entry typed (x: i32): i64 =
  let y: i64 = i64.i32 x
  let (z: i64, _) = (y, x)
  in (z : i64)
