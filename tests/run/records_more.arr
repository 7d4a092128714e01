-- Records and tuples in all places: fields of calls and of elements, puns, deep updates, renaming, equality.

type point = {x: f64, y: f64}
type body = {at: point, spin: (i64, {left: bool, turns: i32}), id: i64}

def origin (id: i64): body = {at = {x = 0, y = 1}, spin = (id + 1, {left = true, turns = 3}), id}

-- ==
-- entry: fields_of_calls
-- input { 4i64 } output { 1.0 5i64 3 }
entry fields_of_calls (id: i64): (f64, i64, i32) =
  ((origin id).at.y, (origin id).spin.0, (origin id).spin.1.turns)

-- ==
-- entry: fields_of_elements
-- input { [3i64, 5i64] 1i64 } output { 5i64 6i64 }
entry fields_of_elements [n] (ids: [n]i64) (i: i64): (i64, i64) =
  let bodies = map origin ids
  in (bodies[i].id, bodies[i].spin.0)

-- ==
-- entry: puns
-- input { 1.0 2i64 } output { 1.0 2i64 }
entry puns (x: f64) (id: i64): (f64, i64) =
  let at = {x, y = x}
  let spin = (id, {turns = 1, left = false})
  let b: body = {id, at, spin}
  let {at = {x, y = _}, spin = _, id} = b
  in (x, id)

-- ==
-- entry: deep_updates
-- input { 1i64 } output { 5.0 true 1.0 7i64 }
entry deep_updates (id: i64): (f64, bool, f64, i64) =
  let b = origin id
  let c = b with at.x = 5
  let d = c with at = (c.at with y = c.at.x - 4) with id = 7
  in (d.at.x, b.at.x == 0, d.at.y, d.id)

-- ==
-- entry: renamed
-- input { [1.0, 2.0] } output { [3.0, 5.0] }
entry renamed [n] (xs: [n]f64): [n]f64 =
  map (\{x = px, y} -> px + y) (map (\x -> {y = x + 1, x}) xs)

-- ==
-- entry: numbers
-- input { 1 2 3 } output { 3 2 1 }
entry numbers (a: i32) (b: i32) (c: i32): (i32, i32, i32) =
  let t = ((a, b), (c, (a, b, c)))
  in (t.1.1.2, t.0.1, t.1.1.0)

-- ==
-- entry: equality
-- input { 1.0 2.0 } output { true false true }
entry equality (x: f64) (y: f64): (bool, bool, bool) =
  let p: point = {x, y}
  in ((p, 1) == ({y, x}, 1), (p, 1) == (p, 2), p != {x = y, y = x})

-- ==
-- entry: equal_elements
-- input { [1, 2] [1, 3] } output { [true, false] }
entry equal_elements [n] (xs: [n]i32) (ys: [n]i32): [n]bool =
  map2 (\x y -> {v = (x, x)} == {v = (y, y)}) xs ys

-- ==
-- entry: empty_record
-- input { 3 } output { 3 true }
entry empty_record (x: i32): (i32, bool) =
  let {} = {}
  let () = ()
  in (x, {} == {})

-- ==
-- entry: sections
-- input { [1i64, 2i64] } output { [2i64, 3i64] [3, 3] }
entry sections [n] (ids: [n]i64): ([n]i64, [n]i32) =
  let bodies = map origin ids
  in (map (.spin.0) bodies, map (.spin.1.turns) bodies)

-- ==
-- entry: from_if
-- input { true 1 } output { 1 2 }
-- input { false 1 } output { 2 1 }
entry from_if (c: bool) (x: i32): (i32, i32) =
  let {a, b} = if c then {a = x, b = x + 1} else {b = x, a = x + 1}
  in (a, b)

-- A record pattern tells the type of a parameter without one.
def taxicab {x: i64, y: i64} = i64.abs x + i64.abs y

def unit {} = 7i64

-- ==
-- entry: whole_records
-- input { 3i64 -4i64 } output { 14i64 }
entry whole_records (x: i64) (y: i64): i64 =
  let swap {x, y} = {x = y, y = x}
  in taxicab (swap {x, y}) + unit {}

-- ==
-- entry: nothing_given
-- input { 5i64 } output { 10i64 }
entry nothing_given {} (x: i64): i64 = x + counted {} () x

def counted {} () (n: i64): i64 = if n == 0 then 0 else 1 + counted {} () (n - 1)
