-- Tests whose arguments are made by scripts, and properties.

type point = {x: i64, y: f64}
type shape = #circle f64 | #none

entry numbers (n: i64): []i64 = iota n
entry point_at (n: i64): point = {x = n, y = 0.5}
entry both (n: i64): ([]i64, point) = (iota n, point_at n)
entry disc (r: f64): shape = #circle r

-- ==
-- entry: total
-- script input { both 4i64 } output { 10i64 }
-- script input { (numbers 3i64, point_at 1) } output { 4i64 }
-- script input { let (xs, p) = both (size {a = 1, b = 2}) in (xs, p) } output { 6i64 }
-- script input { ([1, 2], {y = 0.5, x = 7}) } output { 10i64 }
-- script input { let n = 2i64 in (numbers n, {x = n, y = 1.0}) } output { 3i64 }
-- script input { (empty([0]i64), point_at -1) } output { -1i64 }
entry total (xs: []i64) (p: point): i64 = reduce (+) 0 xs + p.x

entry size (r: {a: i64, b: i64}): i64 = r.a + r.b

-- ==
-- entry: area
-- script input { disc 2.0 } output { 12.0 }
entry area (s: shape): f64 = match s case #circle r -> 3 * r * r case #none -> 0

-- ==
-- property: reversed_twice sorted
#[prop(size(20))]
entry reversed_twice [n] (xs: [n]i32): bool = and (map2 (==) (reverse (reverse xs)) xs)

#[prop(gen(ascending), size(10))]
entry sorted (xs: []i64): bool =
  let n = length xs
  in and (map (\i -> i == 0 || xs[i - 1] <= xs[i]) (iota n))

entry ascending (n: i64) (seed: i64): []i64 = map (\i -> i + seed % 100) (iota n)
