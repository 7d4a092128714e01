-- Arrays of records and tuples, also nested: stored as one array for each component.

type point = {x: f64, y: f64}
type leaf = {box: {low: point, high: point}, count: i64}

-- An array of records as a parameter takes one argument for each field.
-- ==
-- entry: sum_points
-- input { [1.0, 2.0, 3.0] [10.0, 20.0, 30.0] } output { 6.0 60.0 }
-- input { [1.5] [2.5] } output { 1.5 2.5 }
-- input { empty([0]f64) empty([0]f64) } output { 0.0 0.0 }
entry sum_points [n] (ps: [n]point): point =
  reduce (\p q -> {x = p.x + q.x, y = p.y + q.y}) {x = 0, y = 0} ps

-- ==
-- entry: moved
-- input { [1.0, 2.0] [5.0, 6.0] 1.0 } output { [2.0, 3.0] [5.0, 6.0] }
entry moved [n] (ps: [n]point) (d: f64): [n]point = map (\p -> p with x = p.x + d) ps

-- ==
-- entry: right
-- input { [1.0, -2.0, 3.0] [5.0, 6.0, 7.0] } output { [1.0, 3.0] [5.0, 7.0] }
-- input { [-1.0] [5.0] } output { empty([0]f64) empty([0]f64) }
-- input { empty([0]f64) empty([0]f64) } output { empty([0]f64) empty([0]f64) }
entry right [n] (ps: [n]point): ?[k].[k]point = filter (\p -> p.x > 0) ps

-- ==
-- entry: leaves
-- input { [0.0, 1.0] [0.0, 2.0] [4i64, 5i64] } output { [1.0, 2.0] [10.0, 12.0] [4i64, 5i64] }
entry leaves [n] (xs: [n]f64) (ys: [n]f64) (counts: [n]i64): ([n]f64, [n]f64, [n]i64) =
  let make x y count =
    {box = {low = {x, y}, high = {x = x + 1, y = y + 10}}, count}
  let leaves: [n]leaf = map3 make xs ys counts
  in (map (.box.high.x) leaves, map (\l -> l.box.high.y) leaves, map (.count) leaves)

-- ==
-- entry: element
-- input { [1.0, 2.0] [3.0, 4.0] 1i64 } output { 2.0 4.0 }
-- input { [1.0, 2.0] [3.0, 4.0] 2i64 } error: index 2 is out of bounds for an array of length 2
entry element [n] (ps: [n]point) (i: i64): point = ps[i]

-- ==
-- entry: literal
-- input { 1.0 2.0 } output { [1.0, 2.0, 0.0] [2.0, 1.0, 0.0] }
entry literal (x: f64) (y: f64): [3]point = [{x, y}, {x = y, y = x}, {x = 0, y = 0}]

-- ==
-- entry: joined
-- input { [1.0] [2.0] [3.0, 4.0] [5.0, 6.0] } output { [1.0, 3.0, 4.0] [2.0, 5.0, 6.0] }
entry joined [n] [m] (ps: [n]point) (qs: [m]point): ?[k].[k]point = ps ++ qs

-- ==
-- entry: tuples_in_tuples
-- input { [1, 2] [true, false] } output { [1, 2] [true, false] [2, 4] }
entry tuples_in_tuples [n] (xs: [n]i32) (bs: [n]bool): [n]((i32, bool), i32) =
  map2 (\x b -> ((x, b), 2 * x)) xs bs
