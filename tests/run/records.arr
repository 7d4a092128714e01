-- Records: fields, puns, patterns, updates; two are of one type whatever the order of their fields.

type point = {x: f64, y: f64}
type body = {at: point, mass: f64, id: i32}

-- ==
-- entry: fields
-- input { 3.0 4.0 } output { 5.0 }
entry fields (x: f64) (y: f64): f64 =
  let p = {x, y}
  in f64.sqrt (p.x * p.x + p.y * p.y)

-- A record as a parameter takes one argument for each field, in the order of the type.
-- ==
-- entry: parameter
-- input { 1.0 2.0 } output { 2.0 1.0 }
entry parameter (p: point): point = {x = p.y, y = p.x}

-- ==
-- entry: any_order
-- input { 1.0 2.0 } output { true 1.0 }
entry any_order (x: f64) (y: f64): (bool, f64) =
  let p: point = {y = y, x = x}
  in (p == {x, y}, p.x)

-- ==
-- entry: updated
-- input { 1.0 2.0 10.0 7 } output { 1.0 5.0 11.0 7 }
entry updated (b: body): body = b with at.y = 5.0 with mass = b.mass + 1

-- An update makes a new record; the old one stays.
-- ==
-- entry: kept
-- input { 1.0 } output { 1.0 2.0 }
entry kept (x: f64): (f64, f64) =
  let p = {x, y = 0.0}
  let q = p with x = x + 1
  in (p.x, q.x)

-- ==
-- entry: patterns
-- input { 1.0 2.0 10.0 7 } output { 3.0 7 }
entry patterns ({at = {x, y}, mass = _, id}: body): (f64, i32) = (x + y, id)

-- ==
-- entry: some_fields
-- input { 1.0 2.0 10.0 7 } output { 10.0 }
entry some_fields (b: body): f64 = (\{at, mass, id = _} -> mass + 0 * at.x) b

def norm2 (p: point): f64 = p.x * p.x + p.y * p.y

-- ==
-- entry: sections
-- input { [1.0, 2.0] [0.0, 3.0] } output { [1.0, 13.0] [0.0, 3.0] }
entry sections [n] (xs: [n]f64) (ys: [n]f64): ([n]f64, [n]f64) =
  let bodies = map2 (\x y -> {at = {x, y}, mass = 1.0, id = 0}) xs ys
  in (map norm2 (map (.at) bodies), map (.at.y) bodies)

-- ==
-- entry: chosen
-- input { true 1.0 2.0 } output { 1.0 2.0 }
-- input { false 1.0 2.0 } output { 2.0 1.0 }
entry chosen (c: bool) (x: f64) (y: f64): point = if c then {x, y} else {x = y, y = x}
